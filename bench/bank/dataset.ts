import type { MatchOrder } from '#server/features/bank/matching/lookup.ts'
import { toRf } from '#server/lib/iban.ts'
import { Random } from '#demo/platform/random.ts'
import { dayAt, pickWeighted } from './draw.ts'
import { makeIban, makePayer, type Mix, type Payer } from './people.ts'

export interface BenchMember extends Payer {
  id: string
  iban: string
  /** Some pay from here. */
  secondIban: string
}

/** Members and orders of an invented platform. */
export interface BenchDataset {
  seed: number
  mix: Mix
  random: Random
  members: BenchMember[]
  orders: MatchOrder[]
  /** Accounts that were confirmed for a member before. */
  accounts: { account: string; memberId: string }[]
}

/** How platforms number orders. Short numbers are there to do harm. */
const numberings = {
  demo: (n: number) => `ORD-${String(10_240 + n * 7).padStart(6, '0')}`,
  dense: (n: number) => `ORD-${String(10_240 + n).padStart(6, '0')}`,
  short: (n: number) => `ORD-${n + 1}`,
  numeric: (n: number) => `R-${20_260_000 + n * 3}`,
  yearly: (n: number) => `INV-2026${String(n + 1).padStart(4, '0')}`,
}
export type Numbering = keyof typeof numberings
export const isNumbering = (text: string): text is Numbering => Object.hasOwn(numberings, text)

const projects = ['Solar Park', 'Wind Hill', 'Harbour Lofts', 'Green Bakery', 'Vila Nova', 'Kanalhaus']
const memberCount = 560
const waitingCount = 860
export const expiredCount = 30
const closedCount = 40

/** The same seed makes the same dataset. */
export function makeDataset(seed: number, numbering: Numbering, mix: Mix = 'usual'): BenchDataset {
  const random = new Random(seed)
  const members = Array.from({ length: memberCount }, (_, n): BenchMember => {
    const payer = makePayer(random, mix)
    return {
      id: `m-${n + 1}`,
      ...payer,
      iban: makeIban(random, payer.country),
      secondIban: makeIban(random, payer.country),
    }
  })
  const orders: MatchOrder[] = []
  const addOrder = (more: Partial<MatchOrder> = {}, created = random.whole(-16, -6), term = 21) => {
    const orderNumber = numberings[numbering](orders.length)
    orders.push({
      id: String(orders.length + 1),
      orderNumber,
      memberId: random.pick(members).id,
      projectName: random.pick(projects),
      investmentAmount: drawAmount(random),
      received: '0.00',
      currency: pickWeighted(random, { EUR: 92, CHF: 4, GBP: 4 }),
      status: 'waiting_payment',
      createdAt: `${dayAt(created)}T09:00:00.000Z`,
      expiresAt: `${dayAt(created + term)}T23:00:00.000Z`,
      paymentReference: toRf(orderNumber) ?? null,
      iban: null,
      ...more,
    })
  }
  for (let n = 0; n < waitingCount; n++) {
    // Who invests twice often invests the same again.
    const again = n > 0 && random.chance(0.15) ? random.pick(orders) : null
    addOrder(
      again ? { memberId: again.memberId, investmentAmount: again.investmentAmount, currency: again.currency } : {},
    )
  }
  for (let n = 0; n < expiredCount; n++) addOrder({ status: 'expired' }, random.whole(-30, -22), 7)
  for (let n = 0; n < closedCount; n++) addOrder({ status: random.pick(['paid', 'cancelled']) })
  const accounts = members.filter(() => random.chance(0.35)).map(({ id, iban }) => ({ account: iban, memberId: id }))
  return { seed, mix, random, members, orders, accounts }
}

function drawAmount(random: Random): string {
  const kind = pickWeighted(random, { round: 45, fifty: 35, odd: 20 })
  if (kind === 'round') return `${random.pick([250, 500, 750, 1000, 1500, 2000, 2500, 3000, 5000, 10_000])}.00`
  if (kind === 'fifty') return `${random.whole(2, 160) * 50}.00`
  return `${random.whole(100, 9000)}.${String(random.whole(1, 99)).padStart(2, '0')}`
}
