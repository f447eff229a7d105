import type { Person } from '#server/demo/people.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { demoAccounts, type DemoCurrency, paymentAccounts } from './accounts.ts'
import { makeLatest, unpaidOrders } from './latest.ts'
import { day, type DemoMovement, type DemoOrder, MovementMaker, toDay } from './payments.ts'
import { listBalances, type WrittenFile } from './statement-file.ts'
import { makeWorked, newestWorkedDay } from './worked.ts'
import { writeCamt } from './write-camt.ts'
import { writeCsv } from './write-csv.ts'
import { writeMt940 } from './write-mt940.ts'

/** A file of one statement, as it is imported. */
export interface DemoFile extends WrittenFile<DemoMovement> {
  name: string
  account: DemoCurrency
}

interface Period {
  account: DemoCurrency
  name: string
  number: number
  /** In days before the moment of filling: from, and up to but not including. */
  from: number
  until: number
  /** What lies between the end of the statement before and the beginning of this one: its money is in a file that is missing. */
  missing?: bigint
}

const endOfTime = -1
const periods: Period[] = [
  { account: 'EUR', name: 'camt053-141.xml', number: 141, from: 100, until: 31 },
  { account: 'EUR', name: 'camt053-142.xml', number: 142, from: 31, until: newestWorkedDay },
  { account: 'EUR', name: 'camt053-143.xml', number: 143, from: newestWorkedDay, until: endOfTime },
  { account: 'GBP', name: 'harbour-37.sta', number: 37, from: 100, until: 31 },
  { account: 'GBP', name: 'harbour-39.sta', number: 39, from: 31, until: endOfTime, missing: 125_000_000n },
  { account: 'USD', name: 'first-prairie.csv', number: 1, from: 100, until: newestWorkedDay },
  { account: 'USD', name: 'first-prairie-latest.csv', number: 2, from: newestWorkedDay, until: endOfTime },
]

const openings: Record<DemoCurrency, bigint> = { EUR: 4_812_041_000n, GBP: 912_540_000n, USD: 1_500_000_000n }

export interface DemoBank {
  files: DemoFile[]
  /** The orders as they are imported: those that the bank's money has paid wait for it until then. */
  orders: DemoOrder[]
}

/** Two months of statements of three banks, of which the last days are to do. They depend only on the orders and the moment. */
export function makeBank(instant: number, people: readonly Person[], given: readonly DemoOrder[]): DemoBank {
  const orders = nameOtherAccount(given)
  const maker = new MovementMaker({ instant, orders, people: new Map(people.map((one) => [one.id, one])) }, 9_409)
  makeWorked(maker)
  makeLatest(maker)
  const files: DemoFile[] = []
  const balances = { ...openings }
  for (const period of periods) {
    const file = writePeriod(period, maker.movements, instant, balances)
    if (file) files.push(file)
  }
  return { files, orders: leaveUnpaid(orders, files) }
}

/** One order names another account of ours than its money comes to. */
function nameOtherAccount(orders: readonly DemoOrder[]): DemoOrder[] {
  const waiting = orders.filter(({ status, currency }) => status === 'waiting_payment' && currency === 'EUR')
  const chosen = waiting.at(-unpaidOrders - 1)
  return orders.map((order) => (order === chosen ? { ...order, ...paymentAccounts.GBP } : order))
}

/** Writes the statement of a period, and adds its movements to the account's balance. */
function writePeriod(
  { account, name, number, from, until, missing = 0n }: Period,
  all: readonly DemoMovement[],
  instant: number,
  balances: Record<DemoCurrency, bigint>,
): DemoFile | null {
  const [first, end] = [toDay(instant - from * day), toDay(instant - until * day)]
  const movements = all.filter((each) => each.account === account && each.bookedOn > first && each.bookedOn <= end)
  if (movements.length === 0) return null
  const opening = fromUnits(balances[account] + missing)
  const settings = { ...demoAccounts[account], number, opening, owner: 'Meridian Invest SA' }
  const writers = {
    EUR: () => writeCamt(movements, settings, { kind: '053', version: '001.08' }),
    GBP: () => writeMt940(movements, settings, 'plain'),
    USD: () => writeCsv(movements, settings, 'uk'),
  }
  const written = writers[account]()
  balances[account] = listBalances(written.payments, settings).at(-1)!
  return { ...written, name, account }
}

/** An order that is paid and no more was paid by the bank's money; the others by hand, before the statement came. */
function leaveUnpaid(orders: readonly DemoOrder[], files: readonly DemoFile[]): DemoOrder[] {
  const paid = new Set(
    files.flatMap(({ payments }) =>
      payments.flatMap(({ decision }) => (decision?.purpose === 'order' ? [decision.orderNumber] : [])),
    ),
  )
  return orders.map((order) => {
    if (order.status !== 'paid' || !paid.has(order.orderNumber)) return order
    const { paidAt: _paidAt, notes: _notes, ...unpaid } = order
    return { ...unpaid, status: 'waiting_payment' as const }
  })
}
