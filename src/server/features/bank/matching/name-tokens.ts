import { toLatin } from '#server/lib/latin-letters.ts'

const toSet = (words: string) => new Set(words.split(' '))
const particles = toSet(
  'de da do dos das di del della du des la le las los el al bin ibn van von der den ter ten vd zu zur af av y e',
)
const titles = toSet(
  'mr mrs ms miss dr prof herr herrn frau hr fr sr sra srta dhr mw mevr mme mlle ing dipl msc bsc phd jr sen o und and or ou et en oder',
)
const companyForms = toSet(
  'gmbh mbh ag kg kgaa ug ohg gbr ltd limited llc llp inc corp plc bv nv vof bvba sarl sas sasu eurl sa srl spa lda sl slu oy oyj ab as aps uab kft zrt doo ood eood sro zoo ev eg foundation stiftung stichting',
)
/** Scripts that names are written in. Japanese has several. */
const scripts = [
  /\p{scx=Latin}/u,
  /\p{scx=Cyrillic}/u,
  /\p{scx=Greek}/u,
  /\p{scx=Arabic}/u,
  /\p{scx=Hebrew}/u,
  /\p{scx=Hangul}/u,
  /\p{scx=Devanagari}/u,
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u,
]

/** Each letter of a name in its script. A letter of another script is one of its own. */
const listScripts = (name: string): Set<string> => new Set(name.normalize('NFC').match(/\p{L}/gu)?.map(findScript))

const findScript = (letter: string): string => {
  const at = scripts.findIndex((script) => script.test(letter))
  return at < 0 ? 'other' : String(at)
}

/** Whether both names have letters of one script. A name without letters tells nothing, and counts as such. */
export function haveScriptInCommon(one: string, other: string): boolean {
  const [left, right] = [listScripts(one), listScripts(other)]
  return left.size === 0 || right.size === 0 || [...left].some((script) => right.has(script))
}

/** The words of a text in lower-case Latin letters. “Müller”, “Mueller” and “Muller” give the same word. */
export function splitWords(text: string): string[] {
  return toLatin(text)
    .toLowerCase()
    .replaceAll(/['`´’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replaceAll(/([aou])e/g, '$1') : word))
}

/** A name as it may be written in Latin letters: г is “h” in Ukrainian passports, and “g” in others. */
export const listSpellings = (name: string): string[] =>
  /г/i.test(name) ? [name, name.replaceAll('г', 'h').replaceAll('Г', 'H')] : [name]

export const isTitle = (word: string): boolean => titles.has(word)

/**
 * The words of a name without titles and particles, except for those in `kept`. A name of nothing else, such as Đỗ or
 * عمر (“mr”), stays as it is.
 */
export function splitName(name: string, kept: readonly string[] = []): string[] {
  const words = splitWords(name)
  // “O. TAYLOR” has an initial, “ANA E RUI LIMA” the “and” of another language.
  const isInitial = (word: string, at: number) => word.length === 1 && (at === 0 || at === words.length - 1)
  const significant = words.filter(
    (word, at) => kept.includes(word) || isInitial(word, at) || (!particles.has(word) && !titles.has(word)),
  )
  return significant.length > 0 ? significant : words
}

/** Whether the name has the legal form of a company. A form that is also a word of the member's own name does not count. */
export const isCompany = (name: string, ownWords: readonly string[] = []): boolean =>
  splitWords(name).some((word) => companyForms.has(word) && !ownWords.includes(word))

/** The consonants of a word. They are the same in every way of writing Arabic or Hebrew in Latin letters. */
export const keepConsonants = (word: string): string => word.replaceAll(/[aeiouy]/g, '').replaceAll(/(.)\1+/g, '$1')

/** The keys by which members are found: the words of the name, and the consonants of each after `~`. */
export const listNameKeys = (name: string): string[] =>
  [...new Set(listSpellings(name).flatMap((spelling) => splitName(spelling)))]
    .filter((word) => word.length >= 2)
    .flatMap((word) => {
      const consonants = keepConsonants(word)
      return consonants.length >= 3 ? [word, `~${consonants}`] : [word]
    })
