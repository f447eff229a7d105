import type { ImportLine } from '#contract/schemas/platform.ts'
import { makePeople, type Person } from './people.ts'
import { Random } from './random.ts'
import { makeLatestTransfers, makeTransfers } from './transfers.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const iso = (time: number) => new Date(Math.round(time)).toISOString()

/** An attempt before its documents have keys. */
export interface DemoAttempt {
  person: Person
  attempt: number
  /** The highest step sent. */
  steps: 2 | 3 | 4
  documentType: string
  submittedAt: number
  isSubmitted: boolean
  decision?: NonNullable<ImportLine<'kyc'>['decision']>
}

export interface DemoPlatform {
  people: Person[]
  /** In the order of events, so that membership ids follow the order of approval. */
  attempts: DemoAttempt[]
  /** All lines but the KYC ones. */
  lines: ImportLine[]
}

export const documentTypes = ['National identity card', 'Passport', 'Driving licence'] as const

const rejections = [
  'Identity back is blurred: the machine-readable lines cannot be read.',
  'The document has expired. Please send a valid one.',
  'The corners of the document are cut off.',
  'The name on the document differs from the name given.',
  'The face on the selfie differs from the photo on the document.',
  'The picture was taken of a screen, not of the document itself.',
  'This type of document is not accepted in your country of residence.',
  'Glare covers the date of birth.',
  'The selfie is too dark to compare.',
  'The date of birth given differs from the one on the document.',
]

/** The whole demo platform. It depends only on the moment of filling (product 13.4). */
export function makePlatform(instant: number): DemoPlatform {
  const random = new Random(20_260_119)
  const people = makePeople(random, instant)
  const attempts = people.flatMap((person) => makeAttempts(random, person, instant))
  attempts.sort((one, other) => eventTime(one) - eventTime(other))
  const wallets = makeWallets(random, people, instant)
  const lines: ImportLine[] = [
    ...people.map(memberLine),
    ...wallets,
    ...makeLatestTransfers(random, wallets, instant),
    ...makeTransactions(random, people, instant),
  ]
  return { people, attempts, lines }
}

const eventTime = ({ decision, submittedAt }: DemoAttempt) => (decision ? Date.parse(decision.decidedAt) : submittedAt)

const memberLine = (person: Person): ImportLine<'member'> => ({
  type: 'member',
  id: person.id,
  email: person.email,
  ...(person.isNamed && {
    legalFirstName: person.given.native,
    legalLastName: person.family.native,
    legalPhone: person.phone,
  }),
  createdAt: iso(person.createdAt),
})

function makeAttempts(random: Random, person: Person, instant: number): DemoAttempt[] {
  const { stage, createdAt } = person
  if (stage === 'none') return []
  const age = instant - createdAt
  const documentType = documentTypes[person.face % documentTypes.length]!
  const base = { person, documentType }
  const steps = random.chance(stage === 'waiting' ? 0.94 : 0.98) ? 4 : 3
  if (stage === 'draft')
    return [
      {
        ...base,
        attempt: 1,
        steps: random.chance(0.5) ? 2 : 3,
        isSubmitted: false,
        submittedAt: createdAt + age * random.between(0.05, 0.6),
      },
    ]
  const rejection = (at: number) => ({
    result: 'rejected' as const,
    reason: random.pick(rejections),
    decidedAt: iso(at),
  })
  const hasEarlier = age > 6 * day && random.chance(stage === 'approved' ? 0.07 : 0.12)
  const last =
    stage === 'waiting'
      ? waitingSince(random, createdAt, instant)
      : createdAt + random.between(10 * minute, Math.min(age * 0.4, 6 * day))
  const result: DemoAttempt[] = []
  if (hasEarlier) {
    const first = createdAt + (last - createdAt) * random.between(0.1, 0.4)
    const decided = first + (last - first) * random.between(0.2, 0.8)
    result.push({ ...base, attempt: 1, steps: 4, isSubmitted: true, submittedAt: first, decision: rejection(decided) })
  }
  const decidedAt = last + random.between(0.3, 0.95) * Math.min(instant - last, 50 * hour)
  result.push({
    ...base,
    attempt: result.length + 1,
    steps,
    isSubmitted: true,
    submittedAt: last,
    ...(stage === 'approved' && { decision: { result: 'approved' as const, decidedAt: iso(decidedAt) } }),
    ...(stage === 'rejected' && { decision: rejection(decidedAt) }),
  })
  return result
}

/** Most wait for hours or days, a few for two weeks. */
function waitingSince(random: Random, createdAt: number, instant: number): number {
  const waited = 12 * minute + 13 * day * random.next() ** 2.2
  return Math.max(createdAt + 5 * minute, instant - waited)
}

const hasWallets = ({ stage }: Person, random: Random) =>
  stage === 'approved' || (stage === 'waiting' && random.chance(0.4))

function makeWallets(random: Random, people: Person[], instant: number): ImportLine[] {
  return people.flatMap((person) => {
    if (!hasWallets(person, random)) return []
    const count = random.pick([1, 1, 1, 2, 2, 3])
    return Array.from({ length: person.stage === 'approved' ? count : 1 }, () => {
      const address = `0x${random.hex(40)}`
      const createdAt = person.createdAt + (instant - person.createdAt) * random.between(0.02, 0.5)
      const wallet: ImportLine = { type: 'wallet', memberId: person.id, address, createdAt: iso(createdAt) }
      const transfers = person.stage === 'approved' ? makeTransfers(random, person, address, createdAt, instant) : []
      return [wallet, ...transfers]
    }).flat()
  })
}

function makeTransactions(random: Random, people: Person[], instant: number): ImportLine[] {
  const investors = people.filter((person) => person.stage === 'approved')
  return Array.from({ length: 2500 }, (_, n) => {
    const person = random.pick(investors)
    // The first few are from the last hours, so that today has some.
    const since = Math.min(instant - person.createdAt, n < 12 ? (n + 1) * 7 * minute : n < 40 ? 20 * hour : Infinity)
    const createdAt = instant - since * (n < 12 ? 1 : random.between(0.01, 0.9))
    const isRecent = instant - createdAt < 3 * day
    const kind = random.pick(['deposit', 'deposit', 'deposit', 'deposit', 'withdrawal', 'withdrawal', 'other'] as const)
    const euros = kind === 'other' ? random.whole(1, 80) : Math.round(25 * 400 ** random.next())
    return {
      type: 'transaction',
      id: `t-${random.hex(10)}`,
      memberId: person.id,
      kind,
      amount: `${euros}.${random.chance(0.4) ? '00' : String(random.whole(0, 99)).padStart(2, '0')}`,
      status: isRecent && random.chance(0.4) ? 'pending' : random.chance(0.95) ? 'completed' : 'failed',
      createdAt: iso(createdAt),
    } satisfies ImportLine<'transaction'>
  })
}
