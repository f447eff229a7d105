import { toLatin } from '#server/lib/latin-letters.ts'

const toSet = (words: string) => new Set(words.split(' '))
const particles = toSet(
  'de da do dos das di del della du des la le las los el al bin ibn van von der den ter ten vd zu zur af av y e',
)
const titles = toSet(
  'mr mrs ms miss dr prof herr herrn frau hr fr sr sra srta dra dhr mw mevr mej drs ir monsieur madame mme mlle sig dott mag ing eng dipl msc bsc phd o und and or ou et en oder',
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

export const isParticle = (word: string): boolean => particles.has(word)

/** The words of a name without titles and particles. */
export const splitName = (name: string): string[] => keepSignificant(splitWords(name))

/**
 * Leaves out titles and particles, except for those in `kept`. A name of nothing else, such as Đỗ or عمر (“mr”), stays as
 * it is.
 */
export function keepSignificant(words: string[], kept: readonly string[] = []): string[] {
  // “O. TAYLOR” has an initial, “ANA E RUI LIMA” the “and” of another language.
  const isInitial = (word: string, at: number) => word.length === 1 && (at === 0 || at === words.length - 1)
  const significant = words.filter(
    (word, at) => kept.includes(word) || isInitial(word, at) || (!particles.has(word) && !titles.has(word)),
  )
  return significant.length > 0 ? significant : words
}

/** Shorter words written together may be another name: “Lian” is not Li An. */
const shortestJoined = 6

/** Joins and allocations words as the words of the other name are: “VANDENBERG” for van den Berg, “O BRIEN” for O’Brien. */
export function alignWords(words: readonly string[], others: readonly string[]): string[] {
  const aligned: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const joined = [2, 3, 4]
      .map((count) => words.slice(at, at + count))
      .findLast((run) => others.includes(run.join('')))
    const allocations = word.length < shortestJoined ? [] : findJoined(word, others)
    if (joined && joined.length > 1) {
      aligned.push(joined.join(''))
      at += joined.length - 1
    } else aligned.push(...(allocations.length > 0 ? allocations : [word]))
  }
  return aligned
}

/** The words, one after the other, that are written together in `text`. None where it is no such text. */
function findJoined(text: string, words: readonly string[]): string[] {
  for (const from of words.keys()) {
    let end = from
    for (let length = 0; end < words.length && length < text.length; end++) length += words[end]!.length
    const found = words.slice(from, end)
    if (found.length > 1 && found.join('') === text) return found
  }
  return []
}

/** A word in one of its spellings: “Yuliia” is Iulia, “Aase” is Åse. */
export const foldSpelling = (word: string): string => word.replaceAll('y', 'i').replaceAll(/([ai])\1+/g, '$1')

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
