import {
  alignWords,
  foldSpelling,
  haveScriptInCommon,
  isCompany,
  isParticle,
  isTitle,
  keepConsonants,
  keepSignificant,
  listSpellings,
  splitName,
  splitWords,
} from './name-tokens.ts'

/** A name in one of its spellings. */
type WrittenName = Record<'firstName' | 'lastName', string>

export interface PersonName {
  firstName: string | null
  lastName: string | null
}

/**
 * What the comparison of a payer's name with a member's says. `same`: every name is there, in one of its spellings. `similar`:
 * names are missing, or the payer has more. `family`: only the family name is the same. `cut`: the bank cut the name off in the family name. `script`: the names
 * are in different scripts and come out unlike in Latin letters, which says nothing. `unknown`: one of the names has no words.
 * `missing`: the line names no payer.
 */
export type NameFinding =
  | 'same'
  | 'similar'
  | 'initial'
  | 'cut'
  | 'family'
  | 'company'
  | 'other'
  | 'script'
  | 'unknown'
  | 'missing'

export interface NameLikeness {
  /** From 0 to 1. From 0.85 on it is the member's name. */
  score: number
  finding: NameFinding
}

/** A name from this score on is the member's. */
export const sameName = 0.85
/** A name from this score on resembles the member's. A family name alone stays below it. */
export const similarName = 0.7

/** Names below this score have no word alike. */
const fewestAlike = 0.4

const scriptsWithoutVowels = /[\u0590-\u06ff]/
const otherScripts = /(?!\p{scx=Latin})\p{L}/u
/** “J”, “JP”, “ajm”: letters that nobody can pronounce as a name. */
const isInitials = (word: string) => word.length === 1 || (word.length <= 4 && /^.[^aeiouy]+$/.test(word))

interface WordHit {
  like: number
  /** The place among the payer's words. */
  at: number
}

/** The words of two names, and how they may be compared. */
interface ComparedNames {
  theirs: readonly string[]
  first: readonly string[]
  last: readonly string[]
  /** One of them is in another script, so that its Latin letters are one way of several to write it. */
  isTransliterated: boolean
  hasNoVowels: boolean
  /** The bank cut the name off in the family name, and kept enough of it to tell whose it is. */
  isWholeAsFarAsKept: boolean
}

/** Compares the name of a payer with that of a member, in any order and spelling. */
export function compareNames(payer: string | null, member: PersonName): NameLikeness {
  const name = `${member.firstName ?? ''}\n${member.lastName ?? ''}`
  const theirs = payer?.replaceAll(/(?<=\p{L})[?\uFFFD](?=\p{L})/gu, '') ?? null
  const compare = (spelling: string) => {
    const [firstName = '', lastName = ''] = spelling.split('\n')
    return compareSpelling(theirs, { firstName, lastName })
  }
  const found = listSpellings(name).map(compare)
  // Some banks have a “?” for a letter that they do not know, or nothing.
  if (found.some(({ score }) => score >= fewestAlike))
    found.push(compare(name.replaceAll(/[^\p{ASCII}](?=\p{L})/gu, '')))
  const best = found.reduce((one, each) => (each.score > one.score ? each : one))
  const isUnlike = best.score < similarName && ['family', 'other'].includes(best.finding)
  return isUnlike && !haveScriptInCommon(payer ?? '', `${member.firstName ?? ''} ${member.lastName ?? ''}`)
    ? { ...best, finding: 'script' }
    : best
}

function compareSpelling(payer: string | null, member: WrittenName): NameLikeness {
  const [first, last] = [splitName(member.firstName), splitName(member.lastName)]
  const [given, family] = [splitWords(member.firstName), splitWords(member.lastName)]
  const words = alignWords(splitWords(payer ?? ''), [...given, ...family, ...given])
  const theirs = keepSignificant(words, [...first, ...last])
  if (!payer || theirs.length === 0 || first.length + last.length === 0) return { score: 0, finding: 'unknown' }
  const written = `${payer}${member.firstName}${member.lastName}`
  const kept = words.filter((word) => !isTitle(word)).join('')
  const isLong = words.join('').length >= shortestCut
  const isCutInFamily = isLong && isBeginning(kept, given, family)
  const likeness = compareWords({
    theirs,
    first,
    last,
    isTransliterated: otherScripts.test(written),
    hasNoVowels: scriptsWithoutVowels.test(written),
    isWholeAsFarAsKept: isCutInFamily && payer.length >= shortestWhole,
  })
  if (isCompany(payer, [...first, ...last])) return { score: Math.min(likeness.score, 0.6), finding: 'company' }
  const isCut = isCutInFamily || (isLong && isBeginning(kept, family, given))
  return likeness.score < sameName && isCut ? { score: 0.8, finding: 'cut' } : likeness
}

function compareWords(names: ComparedNames): NameLikeness {
  const { theirs, first, last, isWholeAsFarAsKept } = names
  const findBest = (own: string, taken: ReadonlySet<number>): WordHit =>
    pickBest(theirs.map((_word, at) => ({ like: taken.has(at) ? 0 : measureWord(own, at, names), at })))
  const lastHits = last.map((own) => findBest(own, new Set()))
  const lastLike = pickBest(lastHits).like
  // A word that is the family name is not the first name as well.
  const taken = new Set(lastHits.filter(({ like }) => like >= 0.8).map(({ at }) => at))
  const firstHits = first.map((own) => findBest(own, taken))
  const firstLike = pickBest(firstHits).like
  const isInitial = (word: string) =>
    word === first.map((own) => own[0]).join('') || (isInitials(word) && first.some((own) => own[0] === word[0]))
  const hasInitial = firstLike < 0.75 && theirs.some((word, at) => !taken.has(at) && isInitial(word))
  // Banks know their customers' first names: Maria is not Mario, nor Alexander Alexandra.
  const isAnother = firstLike >= 0.75 && !first.some((own) => theirs.some((_word, at) => isSameWord(own, at, names)))
  const score = 0.6 * weighLikeness(lastLike) + 0.4 * (isAnother ? 0.5 : weighLikeness(hasInitial ? 0.75 : firstLike))
  if (score < sameName) return { score, finding: lastLike >= 0.8 ? 'family' : 'other' }
  if (hasInitial) return { score, finding: 'initial' }
  return { score, finding: isWholeAsFarAsKept || hasSameWords(names) ? 'same' : 'similar' }
}

/** Whether each word of the one name is in the other. Banks rarely carry the “B.” of Ruth B. Strauß. */
function hasSameWords(names: ComparedNames): boolean {
  const { theirs, first, last } = names
  const letters = first.filter(({ length }) => length === 1)
  const asked = letters.length < first.length ? first.filter(({ length }) => length > 1) : first
  const isThere = (own: string) => theirs.some((_word, at) => isSameWord(own, at, names))
  const isOwn = (word: string, at: number) =>
    word.length === 1
      ? letters.length === 0 || first.some((own) => own[0] === word)
      : [...first, ...last].some((own) => isSameWord(own, at, names))
  return [...asked, ...last].every(isThere) && theirs.every(isOwn)
}

/** Whether a word of the member's name is the payer's at this place. Only transliteration spells one name in ways unlike. */
function isSameWord(own: string, at: number, names: ComparedNames): boolean {
  const word = names.theirs[at]!
  const like = measureWord(own, at, names)
  if (like === 1 || isCutWord(own, at, names)) return true
  const hasSameEnd = foldSpelling(own).at(-1) === foldSpelling(word).at(-1)
  return names.isTransliterated && like >= 0.75 && (names.hasNoVowels || hasSameEnd)
}

const pickBest = (hits: readonly WordHit[]): WordHit =>
  hits.reduce((best, hit) => (hit.like > best.like ? hit : best), { like: 0, at: -1 })

/** The bank cut the name off within this word, the last one. From four letters on it still says something. */
function isCutWord(own: string, at: number, { theirs, last }: ComparedNames): boolean {
  const word = theirs[at]!
  const isCut = word.length >= 4 && own.length > word.length && own.startsWith(word)
  return isCut && at === theirs.length - 1 && last.includes(own)
}

function measureWord(own: string, at: number, names: ComparedNames): number {
  const theirs = names.theirs[at]!
  if (foldSpelling(own) === foldSpelling(theirs)) return 1
  if (isCutWord(own, at, names)) return 0.9
  // “ALEX” may be Alexander.
  const isShort = theirs.length >= 4 && own.startsWith(theirs)
  const plain = Math.max(measureLikeness(own, theirs), isShort ? 0.8 : 0)
  if (!names.hasNoVowels) return plain
  const [one, other] = [keepConsonants(own), keepConsonants(theirs)]
  return one.length >= 2 && other.length >= 2 ? Math.max(plain, measureLikeness(one, other) * 0.95) : plain
}

/** Below 0.75 a word counts little, since “Pedro” is not a misspelling of “Petra”. A family name alone thus stays below 0.7. */
const weighLikeness = (like: number) => (like >= 0.8 ? like : like >= 0.75 ? 0.75 : like / 3)

const shortestCut = 8
/** So much of a name that a bank cut off tells whose it is. Banks keep 27 letters, 32, 35 or 70. */
const shortestWhole = 20

/**
 * “ANNELIESE VO” for Anneliese von Bülow: the bank keeps only so many letters of a name. One that ends with a word, but for a
 * particle, is whole.
 */
function isBeginning(letters: string, first: readonly string[], others: readonly string[]): boolean {
  if (letters.length === 0 || first.length === 0 || others.length === 0) return false
  const words = [...first, ...others]
  const isEnd = (word: string, at: number) => !isParticle(word) && words.slice(0, at + 1).join('') === letters
  return words.join('').startsWith(letters) && !words.some(isEnd)
}

/** The number of letters to change, add, leave out or swap with a neighbour (optimal string alignment). */
export function measureDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost)
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwap) least = Math.min(least, beforeLast[column - 2]! + 1)
      current[column] = least
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}

/** From 0 (nothing in common) to 1 (equal). */
function measureLikeness(one: string, other: string): number {
  if (one === other) return 1
  return 1 - measureDistance(one, other) / Math.max(one.length, other.length)
}
