import { orderStatuses, type OrderStatus } from '#contract/order-moves.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import { paymentAccounts } from './bank/accounts.ts'
import type { Person } from './people.ts'
import { Random } from './random.ts'

const hour = 3_600_000
const day = 24 * hour
const toInstant = (time: number) => new Date(Math.round(time)).toISOString()
/** The time in which a member must pay. */
const paymentTerm = 3 * day

const projects = [
  { projectId: 'prj-sola', projectName: 'Alentejo Solar Park' },
  { projectId: 'prj-wind', projectName: 'Baltic Wind Two' },
  { projectId: 'prj-oliv', projectName: 'Andalusia Olive Estates' },
  { projectId: 'prj-havn', projectName: 'Hamburg Harbour Lofts' },
] as const

const reasons = [
  'The member asked for it.',
  'Paid from an account of another person; the money was sent back.',
  'The round was filled before the payment came.',
  'A duplicate of another order.',
] as const
const paymentNotes = ['Wire matched by reference.', 'Reference was missing, matched by amount and name.'] as const

const counts: Record<OrderStatus, number> = { waiting_payment: 24, paid: 22, completed: 86, expired: 30, cancelled: 18 }

/** The demo platform's 180 orders, in every state; several of those that wait expire within a day (product 13.4). */
export function makeOrders(instant: number, people: readonly Person[]): ImportLine<'order'>[] {
  const random = new Random(31_337)
  const investors = people.filter(({ stage, createdAt }) => stage === 'approved' && instant - createdAt > 12 * day)
  const states = random.shuffled(
    orderStatuses.flatMap((status) => Array.from({ length: counts[status] }, () => status)),
  )
  let waiting = 0
  return states.map((status, n) => {
    const person = random.pick(investors)
    const createdAt =
      status === 'waiting_payment'
        ? instant - paymentTerm + pickDueTime(random, waiting++)
        : pickPastInstant(random, person, instant)
    return { ...makeOrder(random, n, person, createdAt), ...makeHistory(random, status, createdAt) }
  })
}

/** Seven expire within the next day, none before somebody can look. */
const pickDueTime = (random: Random, n: number) => (n < 7 ? random.between(3, 23) : random.between(25, 70)) * hour

const pickPastInstant = (random: Random, { createdAt }: Person, instant: number) =>
  createdAt + day + (instant - createdAt - 8 * day) * random.next()

function makeOrder(random: Random, n: number, person: Person, createdAt: number): ImportLine<'order'> {
  const currency = random.pick(['EUR', 'EUR', 'EUR', 'EUR', 'GBP', 'USD'] as const)
  const project = random.pick(projects)
  const orderNumber = `ORD-${String(10_240 + n * 7).padStart(6, '0')}`
  const amount = Math.round(100 * 300 ** random.next())
  return {
    type: 'order',
    orderNumber,
    memberId: person.id,
    ...project,
    investmentAmount: `${amount}.${random.chance(0.55) ? '00' : String(random.whole(1, 99)).padStart(2, '0')}`,
    currency,
    ...paymentAccounts[currency],
    accountHolder: `${project.projectName} Ltd`,
    paymentInstructions: `Transfer the exact amount in ${currency} from an account in your own name.\nGive the payment reference unchanged.`,
    createdAt: toInstant(createdAt),
    expiresAt: toInstant(createdAt + paymentTerm),
  }
}

function makeHistory(random: Random, status: OrderStatus, createdAt: number): Partial<ImportLine<'order'>> {
  const paidAt = createdAt + random.between(0.1, 0.95) * paymentTerm
  const wasPaid = status === 'paid' || status === 'completed'
  return {
    status,
    ...(wasPaid && { paidAt: toInstant(paidAt), ...(random.chance(0.4) && { notes: random.pick(paymentNotes) }) }),
    ...(status === 'completed' && { completedAt: toInstant(paidAt + random.between(2, 60) * hour) }),
    ...(status === 'cancelled' && { notes: random.pick(reasons) }),
  }
}
