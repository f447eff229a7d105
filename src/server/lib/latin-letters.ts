import anyAscii from 'any-ascii'

const scriptsWithoutBlanks = /[\u3400-\u9fff\uac00-\ud7af]/

/** In Latin letters. Greek ου is “ou”, as passports have it. */
export function toLatin(text: string): string {
  const latin = anyAscii(text.replaceAll(/[οό][υύ]/gi, 'ou'))
  return scriptsWithoutBlanks.test(text) ? latin.replaceAll(/([a-z])([A-Z])/g, '$1 $2') : latin
}

/** Written without vowels, so that letters alone do not tell how a name reads. */
const withoutVowels = /[\p{scx=Arabic}\p{scx=Hebrew}]/u

/** A name of another script in Latin letters, each word with a capital. Null for one that is in them, and where vowels are not written. */
export function transliterateName(name: string | null): string | null {
  if (name === null || !/(?!\p{scx=Latin})\p{L}/u.test(name) || withoutVowels.test(name)) return null
  const latin = toLatin(name).trim()
  return latin === ''
    ? null
    : latin.replaceAll(/(^|[\s-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
