import { addAmounts, day, type DemoMovement, type DemoOrder, MovementMaker } from './payments.ts'

const iso = (time: number) => new Date(Math.round(time)).toISOString()

/** How far back the statements go, and from where on their lines are to do. */
export const oldestDay = 60
export const newestWorkedDay = 4

/** Orders that were paid in the time of the worked statements, the oldest first. */
export function listPaidOrders(orders: readonly DemoOrder[], instant: number): DemoOrder[] {
  const isWorked = ({ paidAt }: DemoOrder) => {
    const age = paidAt ? (instant - Date.parse(paidAt)) / day : 0
    return age > newestWorkedDay + 1 && age < oldestDay - 1
  }
  return orders.filter(isWorked).toSorted((one, other) => Date.parse(one.paidAt!) - Date.parse(other.paidAt!))
}

/**
 * The movements of two months that operators have worked: payments of the orders that are paid, money that was sent back or waits
 * for it, and what is for no order.
 */
export function makeWorked(maker: MovementMaker): void {
  const { random, dataset } = maker
  const paid = listPaidOrders(dataset.orders, dataset.instant)
  // Its money comes back in the last days.
  const lately = paid.findLastIndex(
    ({ currency, paidAt }) => currency === 'EUR' && Date.parse(paidAt!) < dataset.instant - 10 * day,
  )
  for (const [n, order] of paid.entries()) {
    const paidAt = Date.parse(order.paidAt!)
    const decision = { purpose: 'order' as const, orderNumber: order.orderNumber, amount: order.investmentAmount }
    const decided = { decision, decidedAt: order.paidAt! }
    if (n === 4 || n === lately) payTooMuch(maker, order, paidAt, { excess: '25.00', isPaidBack: true })
    else if (n === 13) payTooMuch(maker, order, paidAt, { excess: '100.00', isPaidBack: false })
    else if (n % 7 === 3) maker.pay(order, paidAt, { ...decided, payer: { name: 'Wise Payments Ltd', iban: null } })
    else if (random.chance(0.15)) Object.assign(maker.payByReference(order, paidAt), decided)
    else maker.pay(order, paidAt, decided)
  }
  addOtherBusiness(maker)
}

/** What is not paid back waits for it. */
function payTooMuch(
  maker: MovementMaker,
  order: DemoOrder,
  paidAt: number,
  { excess, isPaidBack }: { excess: string; isPaidBack: boolean },
) {
  const credit = maker.pay(order, paidAt, {
    amount: addAmounts(order.investmentAmount, excess),
    decision: {
      purpose: 'order',
      orderNumber: order.orderNumber,
      amount: order.investmentAmount,
      rest: { cause: 'overpaid', amount: excess },
    },
    decidedAt: order.paidAt!,
  })
  if (isPaidBack) payBack(maker, credit, excess, paidAt + 2 * day)
}

function payBack(maker: MovementMaker, credit: DemoMovement, amount: string, at: number) {
  maker.add(credit.account, at, {
    direction: 'debit',
    amount,
    payer: credit.payer,
    text: `Refund ${credit.text}`,
    decision: { purpose: 'refund', of: credit },
    decidedAt: iso(at + day / 2),
  })
}

/** Fees, interest, and payments that have nothing to do with orders. Five have stayed open. */
function addOtherBusiness(maker: MovementMaker) {
  const { dataset, random } = maker
  const put = (daysAgo: number, changes: Partial<DemoMovement>) => {
    const at = dataset.instant - daysAgo * day
    maker.add('EUR', at, { decidedAt: iso(at + day / 2), ...changes })
  }
  for (const daysAgo of [57, 29]) {
    put(daysAgo, {
      kind: 'fee',
      direction: 'debit',
      amount: '12.50',
      text: 'Account fee',
      decision: { purpose: 'ignored', code: 'fee' },
    })
    put(daysAgo - 1, {
      amount: `${random.whole(1, 6)}.${random.whole(10, 99)}`,
      text: 'Interest',
      decision: { purpose: 'ignored', code: 'interest' },
    })
  }
  put(45, {
    direction: 'debit',
    amount: '18000.00',
    payer: { name: 'Alentejo Solar Park Ltd', iban: null },
    text: 'Drawdown 7',
    decision: { purpose: 'ignored', code: 'outgoing' },
  })
  put(38, {
    amount: '64.90',
    payer: { name: 'Stadtwerke Rosenau', iban: null },
    text: 'Erstattung Kd.Nr. 4471-22',
    decision: { purpose: 'ignored', code: 'other_business' },
  })
  put(41, { amount: '120.00', payer: { name: 'H. Lindqvist', iban: null }, text: 'Anzahlung', decidedAt: null })
  put(24, { amount: '350.00', payer: { name: 'K. Brandt', iban: null }, text: 'wie besprochen', decidedAt: null })
  put(11, { amount: '75.00', text: 'Gutschrift', decidedAt: null })
  put(6, {
    amount: '910.00',
    payer: { name: 'Kanzlei Ebert & Partner', iban: null },
    text: 'Az. 88/26',
    decidedAt: null,
  })
  maker.add('GBP', dataset.instant - 9 * day, {
    amount: '60.00',
    payer: { name: 'J Whitfield', iban: null },
    text: 'Club',
  })
}
