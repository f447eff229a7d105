import type { WriteOffCode, RefundCause } from '#contract/bank-allocations.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { toRf } from '#server/lib/iban.ts'
import type { Person } from '#demo/platform/people.ts'
import { Random } from '#demo/platform/random.ts'
import { type DemoCurrency, makeIban } from './accounts.ts'
import { toSepaText } from './sepa-text.ts'
import type { Movement } from './statement-file.ts'

export const day = 24 * 3_600_000
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

export type DemoOrder = ImportLine<'order'>

/** What an operator has decided of a line. Movements on the other side are named by themselves. */
export type DemoDecision =
  | { purpose: 'order'; orderNumber: string; amount: string; rest?: { cause: RefundCause; amount: string } }
  | { purpose: 'refund'; of: DemoMovement }
  | { purpose: 'ignored'; code: WriteOffCode }

export interface DemoMovement extends Movement {
  /** The account that it is on. */
  account: DemoCurrency
  /** The reference of the sum that the bank books it in. */
  batch?: string
  /** Null while it is to do. */
  decision: DemoDecision | null
  /** When it was decided. */
  decidedAt: string | null
}

/** What the demo's money moves for. */
export interface DemoDataset {
  instant: number
  people: ReadonlyMap<string, Person>
  orders: readonly DemoOrder[]
}

export const addAmounts = (...amounts: string[]): string =>
  fromUnits(amounts.reduce((sum, amount) => sum + toUnits(amount), 0n))

/** Makes movements with all that a bank writes. Everything derives from the seed and the orders. */
export class MovementMaker {
  readonly movements: DemoMovement[] = []
  readonly random: Random
  readonly dataset: DemoDataset

  constructor(dataset: DemoDataset, seed: number) {
    this.dataset = dataset
    this.random = new Random(seed)
  }

  getPerson({ memberId }: DemoOrder): Person {
    return this.dataset.people.get(memberId)!
  }

  /** The account that a member pays from: one each, of a bank that does not exist. */
  getIban({ phone }: Person): string {
    return makeIban('DE', `99999999${phone.replaceAll(/\D/g, '').slice(-7).padStart(10, '4')}`)
  }

  /** Adds a movement. What is left out is a booked credit without texts. */
  add(account: DemoCurrency, bookedOn: number, changes: Partial<DemoMovement>): DemoMovement {
    const movement: DemoMovement = {
      kind: 'payment',
      account,
      bookedOn: toDay(bookedOn),
      direction: 'credit',
      isReversal: false,
      amount: '0.00',
      currency: account,
      payer: { name: null, iban: null },
      text: '',
      rf: null,
      endToEndId: null,
      decision: null,
      decidedAt: null,
      ...changes,
    }
    this.movements.push(movement)
    return movement
  }

  /** The payment of an order by its member, in full. */
  pay(order: DemoOrder, bookedOn: number, changes: Partial<DemoMovement> = {}): DemoMovement {
    const { random } = this
    const person = this.getPerson(order)
    const name = `${person.given.roman} ${person.family.roman}`
    const { orderNumber, projectName } = order
    const text = random.pick([
      orderNumber,
      orderNumber,
      `${orderNumber} ${projectName}`,
      `Order ${orderNumber}`,
      `Zahlung ${orderNumber.replace('-', ' ')}`,
      `Investment ${orderNumber.toLowerCase()} ${name}`,
    ])
    return this.add(order.currency as DemoCurrency, bookedOn, {
      amount: order.investmentAmount,
      payer: { name: toSepaText(name, false), iban: this.getIban(person) },
      text: toSepaText(text, false),
      ...changes,
    })
  }

  /** As `pay`, with the reference of the payment code alone. */
  payByReference(order: DemoOrder, bookedOn: number): DemoMovement {
    return this.pay(order, bookedOn, { text: '', rf: toRf(order.orderNumber) ?? null })
  }
}
