import type { MatchOrder, MatchAllocation } from '#server/features/bank/matching/lookup.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { Movement } from '#demo/platform/bank/statement-file.ts'
import type { Random } from '#demo/platform/random.ts'
import { countDays, dayAt, makeDigits, makeLetters } from './draw.ts'
import { makeBankName, makeIban, type Mix, toSepaName } from './people.ts'
import { spellNumber, writeText } from './texts.ts'
import type { BenchMember, BenchDataset } from './dataset.ts'

export type PaymentKind =
  | 'clean'
  | 'missing'
  | 'garbled'
  | 'merged'
  | 'split'
  | 'under'
  | 'over'
  | 'wrongCurrency'
  | 'thirdParty'
  | 'duplicate'
  | 'late'
  | 'unrelated'
  | 'debit'
  | 'fee'
  | 'reversal'

/** A movement of an account, and what is true of it. */
export interface Payment extends Movement {
  kind: PaymentKind
  /** The orders that it pays, in truth. */
  truth: MatchAllocation[]
}

export const toAllocation = (
  { id, orderNumber, investmentAmount }: MatchOrder,
  amount = investmentAmount,
): MatchAllocation => ({ orderId: id, orderNumber, amount })

/** Makes payments of orders. Each order is paid once, except for what is said otherwise. */
export class PaymentMaker {
  readonly payments: Payment[] = []
  readonly random: Random
  readonly mix: Mix
  readonly orders: readonly MatchOrder[]
  readonly members: readonly BenchMember[]
  readonly #free: MatchOrder[]
  readonly #membersById: ReadonlyMap<string, BenchMember>
  readonly #services: { name: string; iban: string }[]

  constructor({ random, mix, orders, members }: BenchDataset) {
    this.random = random
    this.mix = mix
    this.orders = orders
    this.members = members
    this.#free = random.shuffled(orders.filter(({ status }) => status === 'waiting_payment'))
    this.#membersById = new Map(members.map((member) => [member.id, member]))
    this.#services = ['Wise Payments Ltd', 'Revolut Bank UAB', 'SafePay Europe SA'].map((name) => ({
      name,
      iban: makeIban(random, 'DE'),
    }))
  }

  getMember({ memberId }: MatchOrder): BenchMember {
    return this.#membersById.get(memberId)!
  }

  /** A waiting order that nothing has paid. */
  takeOrder(): MatchOrder {
    return this.#free.pop()!
  }

  pickUnpaidOrder(): MatchOrder {
    return this.random.pick(this.#free)
  }

  /** Waiting orders of one member and currency that nothing has paid. */
  takeOrdersOfOneMember(count: number): MatchOrder[] | null {
    const groups = Map.groupBy(this.#free, ({ memberId, currency }) => `${memberId} ${currency}`)
    const found = [...groups.values()].find((orders) => orders.length >= count)?.slice(0, count)
    for (const order of found ?? []) this.#free.splice(this.#free.indexOf(order), 1)
    return found ?? null
  }

  /** Adds a payment of the orders by their member, in full and some days after they were made. */
  pay(kind: PaymentKind, orders: readonly MatchOrder[], changes: Partial<Payment> = {}): Payment {
    const { random } = this
    const first = orders[0]!
    const member = this.getMember(first)
    const total = orders.reduce((sum, { investmentAmount }) => sum + toUnits(investmentAmount), 0n)
    const created = Math.max(...orders.map(({ createdAt }) => countDays(createdAt)))
    const isByRf = random.chance(0.12) && orders.length === 1
    const numbers = orders.map(({ orderNumber }) => spellNumber(random, orderNumber)).join(', ')
    const text = writeText(random, numbers, first.projectName, member)
    const payment: Payment = {
      kind,
      bookedOn: dayAt(Math.min(-1, created + random.whole(0, 5))),
      direction: 'credit',
      isReversal: false,
      amount: fromUnits(total),
      currency: first.currency,
      payer: {
        name: this.#writeName(member, first.currency),
        iban: random.chance(0.92) ? member.iban : member.secondIban,
      },
      text: isByRf ? '' : text,
      rf: isByRf ? first.paymentReference : null,
      endToEndId: isByRf ? null : this.#makeEndToEndId(first),
      truth: orders.map((order) => toAllocation(order)),
      ...changes,
    }
    this.#blurPayer(payment, member)
    this.payments.push(payment)
    return payment
  }

  /** Only files in UTF-8 have a name in its own script: those of pounds are written in Latin letters. */
  #writeName(member: BenchMember, currency: string): string {
    const isOwn = this.mix === 'scripts' && currency !== 'GBP' && this.random.chance(0.4)
    return isOwn ? member.ownName : makeBankName(this.random, member)
  }

  #makeEndToEndId({ orderNumber }: MatchOrder): string | null {
    if (this.random.chance(0.1)) return orderNumber
    return this.random.chance(0.25) ? `${makeLetters(this.random, 3)}${makeDigits(this.random, 9)}` : null
  }

  /** What befalls any payment: a payment service pays, the name is missing, or the bank cuts it off. */
  #blurPayer(payment: Payment, member: BenchMember) {
    const { random } = this
    const { name, iban } = payment.payer
    if (random.chance(0.05)) {
      payment.payer = { ...random.pick(this.#services) }
      // A payment service may say for whom it pays.
      if (random.chance(0.5)) payment.text = `${payment.text} ${toSepaName(member)}`.trim()
    } else if (random.chance(0.03)) payment.payer = { name: null, iban }
    else if (random.chance(0.06) && name) payment.payer = { name: name.slice(0, 12).trim(), iban }
  }
}
