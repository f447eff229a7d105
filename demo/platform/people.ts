import { countries, type Country, type Name } from './countries.ts'
import { faces } from './faces.ts'
import type { Random } from './random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The state of a member's KYC when the demo platform is filled. */
type Stage = 'none' | 'draft' | 'waiting' | 'rejected' | 'approved'

export interface Person {
  id: string
  email: string
  country: Country
  residence: Country
  given: Name
  family: Name
  isNamed: boolean
  phone: string
  /** Index into `faces`. */
  face: number
  dateOfBirth: string
  documentNumber: string
  expires: string
  /** Milliseconds of the epoch. */
  createdAt: number
  stage: Stage
}

const memberCount = 1200
const waitingCount = 247
const daysBack = 425

/** The members, oldest first. They depend only on `instant` and the generator's seed. */
export function makePeople(random: Random, instant: number): Person[] {
  const joined = makeJoiningTimes(random, instant)
  const taken = new Set<string>()
  const people = joined.map((createdAt) => makePerson(random, instant, createdAt, taken))
  setStages(random, people, instant)
  for (const person of people) person.isNamed = !(person.stage === 'none' && random.chance(0.2))
  return people
}

/** Growth over fourteen months, quiet weekends, and no empty day in the last week. */
function makeJoiningTimes(random: Random, instant: number): number[] {
  const weights = Array.from({ length: daysBack }, (_, daysAgo) => {
    const weekday = new Date(instant - daysAgo * day).getUTCDay()
    const rhythm = weekday === 0 ? 0.6 : weekday === 6 ? 0.7 : 1.1
    return (1 + 2.4 * (1 - daysAgo / daysBack)) * rhythm
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const pickDay = () => {
    let left = random.next() * total
    return Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    )
  }
  const times = Array.from({ length: memberCount }, (_, n) => {
    const daysAgo = n < 21 ? n % 7 : pickDay()
    return instant - daysAgo * day - Math.floor(random.between(6 * minute, day - minute))
  })
  return times.toSorted((one, other) => one - other)
}

function pickCountry(random: Random): Country {
  let left = random.next() * countries.reduce((sum, country) => sum + country.weight, 0)
  return countries.find((country) => (left -= country.weight) < 0) ?? countries[0]!
}

function makePerson(random: Random, instant: number, createdAt: number, taken: Set<string>): Person {
  const country = pickCountry(random)
  const isWoman = random.chance(0.47)
  const given = random.pick(isWoman ? country.women : country.men)
  const family = random.pick(country.families)
  const fitting = faces.flatMap((face, index) => (face.isWoman === isWoman ? [index] : []))
  const year = new Date(instant).getUTCFullYear()
  const born = Date.UTC(year - random.whole(21, 67), random.whole(0, 11), random.whole(1, 28))
  const expires = Date.UTC(year + random.whole(1, 9), random.whole(0, 11), random.whole(1, 28))
  let id = `m-${random.hex(6)}`
  while (taken.has(id)) id = `m-${random.hex(6)}`
  taken.add(id)
  return {
    id,
    country,
    given,
    family,
    createdAt,
    email: makeEmail(random, given, family, country, taken),
    residence: random.chance(0.86) ? country : pickCountry(random),
    isNamed: true,
    phone: `${country.phone}${random.whole(1_000_000, 9_999_999)}`,
    face: random.pick(fitting),
    dateOfBirth: new Date(born).toISOString().slice(0, 10),
    documentNumber: `${random.pick(['ZX', 'KT', 'AE', 'RW'])} ${random.whole(1_000_000, 9_999_999)}`,
    expires: new Date(expires).toISOString().slice(0, 10),
    stage: 'none',
  }
}

const toMailWord = (name: Name) => name.roman.toLowerCase().replaceAll(/[^a-z]/g, '')

function makeEmail(random: Random, given: Name, family: Name, country: Country, taken: Set<string>): string {
  const form = random.pick([
    `${toMailWord(given)}.${toMailWord(family)}`,
    `${toMailWord(given)[0]}.${toMailWord(family)}`,
    `${toMailWord(family)}${random.whole(60, 99)}`,
  ])
  let email = `${form}@${country.mail}`
  for (let n = 2; taken.has(email); n++) email = `${form}${n}@${country.mail}`
  taken.add(email)
  return email
}

/** The newest have not begun, the next wait for review, the rest is mostly decided. */
function setStages(random: Random, people: Person[], instant: number) {
  const age = (person: Person) => instant - person.createdAt
  const byRecency = people
    .map((person) => ({ person, key: age(person) * random.between(0.1, 1.9) }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ person }) => person)
  const begun = byRecency.slice(14).filter((person) => age(person) > 5 * hour)
  for (const person of begun.slice(0, waitingCount)) person.stage = 'waiting'
  for (const person of begun.slice(waitingCount, waitingCount + 70)) person.stage = 'draft'
  const rest = random.shuffled(begun.slice(waitingCount + 70).filter((person) => age(person) > 3 * day))
  for (const [index, person] of rest.entries())
    person.stage = index < 72 ? 'rejected' : index < 230 ? 'none' : 'approved'
}
