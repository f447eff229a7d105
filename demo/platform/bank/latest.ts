import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { DemoCurrency } from './accounts.ts'
import { addAmounts, day, type DemoMovement, type DemoOrder, MovementMaker } from './payments.ts'
import { listPaidOrders } from './worked.ts'

/** How many orders in euro still wait for their money. */
export const unpaidOrders = 3

/**
 * The movements of the last days, which nobody has worked: each way that money can come or go, and much that fits exactly. The
 * first member's payment of each kind is taken from the orders that wait.
 */
export function makeLatest(maker: MovementMaker): void {
  const { orders } = maker.dataset
  const waiting = orders.filter(({ status }) => status === 'waiting_payment')
  const ofCurrency = (currency: DemoCurrency) => waiting.filter((order) => order.currency === currency)
  payInEuro(maker, ofCurrency('EUR'))
  payAbroad(maker, ofCurrency('GBP'), ofCurrency('USD'))
  payClosedOrders(maker)
  payBackWhatIsDue(maker)
  returnLastRefund(maker)
  addStrangers(maker)
  addAnnounced(maker)
}

const takeAway = (amount: string, by: string) => fromUnits(toUnits(amount) - toUnits(by))
const half = (amount: string) => fromUnits((toUnits(amount) / 2_000n) * 1_000n)

/** A day on which a payment of a waiting order may have come: not before it was made, and not after now. */
function pickDay({ dataset, random }: MovementMaker, order: DemoOrder): number {
  const created = Date.parse(order.createdAt!)
  return created + (dataset.instant - created) * random.next()
}

/** What a hurried hand makes of a number: two digits change places. */
const swapDigits = (orderNumber: string) => orderNumber.replace(/(\d)(\d)(\d)$/, '$1$3$2')

const manners: ((maker: MovementMaker, order: DemoOrder, at: number) => void)[] = [
  (maker, order, at) => maker.payByReference(order, at),
  (maker, order, at) => maker.pay(order, at, { text: `payment ${swapDigits(order.orderNumber)} thank you` }),
  (maker, order, at) => maker.pay(order, at, { amount: takeAway(order.investmentAmount, '0.25') }),
  (maker, order, at) =>
    maker.pay(order, at, { amount: half(order.investmentAmount), text: `1/2 ${order.orderNumber}` }),
  (maker, order, at) => maker.pay(order, at, { amount: addAmounts(order.investmentAmount, '50.00') }),
  (maker, order, at) => maker.pay(order, at, { payer: { name: 'NORDLICHT HANDELS GMBH', iban: null } }),
  (maker, order, at) => maker.pay(order, at, { payer: { name: null, iban: null } }),
  (maker, order, at) => maker.pay(order, at, { text: 'Investment' }),
]

/** How many payments of today the bank books as one sum, and its reference. */
const collected = 4
const collectionReference = 'SAMMEL-0417'

/** The rest of the orders is paid as it should be. */
function payInEuro(maker: MovementMaker, orders: readonly DemoOrder[]) {
  for (const [n, order] of orders.slice(0, -unpaidOrders).entries()) {
    const at = pickDay(maker, order)
    const manner = manners[n]
    if (manner) manner(maker, order, at)
    else if (n < manners.length + collected) maker.pay(order, maker.dataset.instant, { batch: collectionReference })
    else maker.pay(order, at)
  }
}

function payAbroad(maker: MovementMaker, pounds: readonly DemoOrder[], dollars: readonly DemoOrder[]) {
  const [inEuro, ...others] = pounds
  if (inEuro) maker.pay(inEuro, pickDay(maker, inEuro), { account: 'EUR', currency: 'EUR' })
  for (const order of [...others, ...dollars].slice(0, -1)) maker.pay(order, pickDay(maker, order))
}

/** Money for orders that are over, and money that the bank takes back. */
function payClosedOrders(maker: MovementMaker) {
  const { instant, orders } = maker.dataset
  const inEuro = (status: DemoOrder['status']) =>
    orders
      .filter((order) => order.status === status && order.currency === 'EUR')
      .toSorted((one, other) => Date.parse(other.expiresAt) - Date.parse(one.expiresAt))
  for (const order of inEuro('expired').slice(0, 2)) maker.pay(order, instant - 2 * day)
  for (const order of inEuro('cancelled').slice(0, 1)) maker.pay(order, instant - day)
  for (const order of inEuro('completed').slice(0, 1)) maker.pay(order, instant - day)
  const reversed = findLastPayment(maker)
  if (reversed)
    maker.add(reversed.account, instant - day, {
      kind: 'reversal',
      direction: 'debit',
      isReversal: true,
      amount: reversed.amount,
      payer: reversed.payer,
      text: reversed.text,
      endToEndId: reversed.endToEndId,
    })
}

/** The transfer of a refund that waits for it, with the text that the console proposes. */
function payBackWhatIsDue(maker: MovementMaker) {
  const paidBack = new Set(maker.movements.map(({ decision }) => decision?.purpose === 'refund' && decision.of))
  const credit = maker.movements.findLast(
    (movement) => movement.decision?.purpose === 'order' && movement.decision.rest && !paidBack.has(movement),
  )
  if (credit?.decision?.purpose !== 'order' || !credit.decision.rest) return
  const { orderNumber, rest } = credit.decision
  maker.add(credit.account, maker.dataset.instant - day, {
    direction: 'debit',
    amount: rest.amount,
    payer: credit.payer,
    text: `Refund ${orderNumber}`,
  })
}

/** The payee's account is closed, so the transfer of a refund comes back. */
function returnLastRefund(maker: MovementMaker) {
  const transfer = maker.movements.findLast(({ decision }) => decision?.purpose === 'refund')
  if (!transfer) return
  maker.add(transfer.account, maker.dataset.instant - day, {
    kind: 'return',
    amount: transfer.amount,
    payer: transfer.payer,
    text: `RETURN ${transfer.text}`,
  })
}

/** The last payment of an order that the bank's money has paid in full. */
function findLastPayment({ movements, dataset }: MovementMaker): DemoMovement | undefined {
  const paid = new Set(
    listPaidOrders(dataset.orders, dataset.instant).flatMap(({ status, orderNumber }) =>
      status === 'paid' ? [orderNumber] : [],
    ),
  )
  return movements.findLast(
    ({ account, decision }) =>
      account === 'EUR' && decision?.purpose === 'order' && !decision.rest && paid.has(decision.orderNumber),
  )
}

/** What belongs to no order, or does not say to which. */
function addStrangers(maker: MovementMaker) {
  const { instant } = maker.dataset
  const put = (daysAgo: number, changes: Partial<DemoMovement>) => maker.add('EUR', instant - daysAgo * day, changes)
  put(2, { amount: '250.00', payer: { name: 'Grupo Norte SA', iban: null }, text: 'FT 2026/0388' })
  put(2, { amount: '1000.00', payer: { name: 'M. Oliveira', iban: null } })
  put(1, { amount: '39.90', payer: { name: 'Booking Refunds BV', iban: null }, text: 'REFUND INV 88121' })
  put(1, {
    amount: '500.00',
    payer: { name: 'Gemeinnuetzige Stiftung zur Foerderung erneuerbarer Energien im laendl', iban: null },
    text: 'Spendenbescheinigung/2026/0000000000000000000000000000000000000000000000000000000000000000000001',
  })
  put(1, {
    direction: 'debit',
    amount: '8400.00',
    payer: { name: 'Baltic Wind Two Ltd', iban: null },
    text: 'Drawdown',
  })
  put(0, { kind: 'fee', direction: 'debit', amount: '4.80', text: 'Foreign payment fee' })
  put(0, { amount: '2.14', text: 'Interest' })
}

/** The bank knows of it, and has not booked it yet. */
function addAnnounced(maker: MovementMaker) {
  const { instant, orders } = maker.dataset
  const [order] = orders.filter(({ status, currency }) => status === 'waiting_payment' && currency === 'EUR').slice(-1)
  if (order) maker.pay(order, instant, { isPending: true })
  maker.add('EUR', instant, { isPending: true, amount: '120.00', text: 'Online card', direction: 'debit' })
}
