import { measureLikeness } from './edit-distance.ts'
import {
  haveScriptInCommon,
  isCompany,
  isTitle,
  keepConsonants,
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
 * What the comparison of a payer's name with a member's says. `similar`: first names are missing, or the payer has more
 * names. `family`: only the family name is the same. `cut`: the bank cut the name off in the family name. `script`: the names
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

const scriptsWithoutVowels = /[\u0590-\u06ff]/
/** “J”, “JP”, “ajm”: letters that nobody can pronounce as a name. */
const isInitials = (word: string) => word.length === 1 || (word.length <= 4 && /^.[^aeiouy]+$/.test(word))

interface WordHit {
  like: number
  /** The place among the payer's words. */
  at: number
}

/** Compares the name of a payer with that of a member, in any order and spelling. */
export function compareNames(payer: string | null, member: PersonName): NameLikeness {
  const spellings = listSpellings(`${member.firstName ?? ''}\n${member.lastName ?? ''}`)
  const found = spellings.map((spelling) => {
    const [firstName = '', lastName = ''] = spelling.split('\n')
    return compareSpelling(payer, { firstName, lastName })
  })
  const best = found.reduce((one, each) => (each.score > one.score ? each : one))
  const isUnlike = best.score < similarName && ['family', 'other'].includes(best.finding)
  return isUnlike && !haveScriptInCommon(payer ?? '', `${member.firstName ?? ''} ${member.lastName ?? ''}`)
    ? { ...best, finding: 'script' }
    : best
}

function compareSpelling(payer: string | null, member: WrittenName): NameLikeness {
  const first = splitName(member.firstName)
  const last = splitName(member.lastName)
  const theirs = splitName(payer ?? '', [...first, ...last])
  if (!payer || theirs.length === 0 || first.length + last.length === 0) return { score: 0, finding: 'unknown' }
  const hasNoVowels = scriptsWithoutVowels.test(`${member.firstName}${member.lastName}`)
  const likeness = compareWords(theirs, first, last, hasNoVowels)
  if (isCompany(payer, [...first, ...last])) return { score: Math.min(likeness.score, 0.6), finding: 'company' }
  return likeness.score < similarName && isCutOff(payer, member) ? { score: 0.8, finding: 'cut' } : likeness
}

function compareWords(theirs: string[], first: string[], last: string[], hasNoVowels: boolean): NameLikeness {
  const compare = (own: string, word: string) => compareWord(own, word, hasNoVowels)
  const findBest = (own: string, taken: ReadonlySet<number>): WordHit =>
    pickBest(theirs.map((word, at) => ({ like: taken.has(at) ? 0 : compare(own, word), at })))
  const lastHits = last.map((own) => findBest(own, new Set()))
  const lastLike = pickBest(lastHits).like
  // A word that is the family name is not the first name as well.
  const taken = new Set(lastHits.filter(({ like }) => like >= 0.8).map(({ at }) => at))
  const firstHits = first.map((own) => findBest(own, taken))
  const firstLike = pickBest(firstHits).like
  const hasInitial =
    firstLike < 0.75 &&
    first.some((own) => theirs.some((word, at) => !taken.has(at) && isInitials(word) && own[0] === word[0]))
  const score = 0.6 * weighLikeness(lastLike) + 0.4 * weighLikeness(hasInitial ? 0.75 : firstLike)
  if (score >= sameName) {
    const isOwn = (word: string) => word.length === 1 || [...first, ...last].some((own) => compare(own, word) >= 0.75)
    // Banks rarely carry the “B.” of Ruth B. Strauß.
    const isAsked = (own: string) => own.length > 1 || first.every(({ length }) => length === 1)
    const isWhole = firstHits.every(({ like }, at) => like >= 0.75 || !isAsked(first[at]!)) && theirs.every(isOwn)
    return { score, finding: hasInitial ? 'initial' : isWhole ? 'same' : 'similar' }
  }
  if (isWrittenTogether(theirs, first, last)) return { score: 0.9, finding: 'same' }
  return { score, finding: lastLike >= 0.8 ? 'family' : 'other' }
}

const pickBest = (hits: readonly WordHit[]): WordHit =>
  hits.reduce((best, hit) => (hit.like > best.like ? hit : best), { like: 0, at: -1 })

function compareWord(own: string, theirs: string, hasNoVowels: boolean): number {
  // The bank cut the name off. From four letters on it still says something.
  if (theirs.length >= 4 && own.length > theirs.length && own.startsWith(theirs)) return 0.9
  const plain = measureLikeness(own, theirs)
  if (!hasNoVowels) return plain
  const [one, other] = [keepConsonants(own), keepConsonants(theirs)]
  return one.length >= 2 && other.length >= 2 ? Math.max(plain, measureLikeness(one, other) * 0.95) : plain
}

/** Below 0.75 a word counts little, since “Pedro” is no misspelling of “Petra”. A family name alone thus stays below 0.7. */
const weighLikeness = (like: number) => (like >= 0.8 ? like : like >= 0.75 ? 0.75 : like / 3)

/** “LIMAANA”: there is no blank between the names. */
function isWrittenTogether(theirs: string[], first: string[], last: string[]): boolean {
  const [all, given, family] = [theirs.join(''), first.join(''), last.join('')]
  if (given.length < 3 || family.length < 3) return false
  return all.includes(given + family) || all.includes(family + given)
}

const shortestCut = 8

/** “ANNELIESE VO” for Anneliese von Bülow: the bank keeps only so many letters of a name. A name that ends with a word is whole. */
function isCutOff(payer: string, { firstName, lastName }: WrittenName): boolean {
  const words = splitWords(payer)
  const [given, family] = [splitWords(firstName), splitWords(lastName)]
  if (words.join('').length < shortestCut || given.length === 0 || family.length === 0) return false
  const kept = words.filter((word) => !isTitle(word)).join('')
  return isBeginning(kept, given, family) || isBeginning(kept, family, given)
}

/** Whether the letters begin the words, and end within one of them or beyond the first names of the two. */
function isBeginning(letters: string, first: readonly string[], others: readonly string[]): boolean {
  if (!(first.join('') + others.join('')).startsWith(letters)) return false
  const isWhole = first.some((_word, at) => first.slice(0, at + 1).join('') === letters)
  return letters.length > 0 && !isWhole
}
