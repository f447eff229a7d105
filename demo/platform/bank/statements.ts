import { type Zippable, zipSync } from 'fflate'
import type { Person } from '#demo/platform/people.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { accountOwner, demoAccounts, type DemoCurrency, paymentAccounts } from './accounts.ts'
import { bookBatches, writeNotification } from './batches.ts'
import { makeLatest, unpaidOrders } from './latest.ts'
import { day, type DemoMovement, type DemoOrder, MovementMaker, toDay } from './payments.ts'
import { listBalances, type WrittenFile } from './statement-file.ts'
import { makeWorked, newestWorkedDay } from './worked.ts'
import { writeCamt } from './write-camt.ts'
import { writeCsv } from './write-csv.ts'
import { writeMt940 } from './write-mt940.ts'

/** A file as it is imported. */
export interface DemoFile extends WrittenFile<DemoMovement> {
  name: string
  account: DemoCurrency
}

interface Period {
  account: DemoCurrency
  name: string
  /** The zip that brings it with others. */
  archive?: string
  number: number
  /** In days before the moment of filling: from, and up to but not including. */
  from: number
  until: number
  /** What lies between the end of the statement before and the beginning of this one: its money is in a file that is missing. */
  missing?: bigint
  /** How much less the bank says it ends with than its movements add up to: a charge that it does not list. */
  unlisted?: bigint
  /** Its sums, payment by payment: the bank says them on the day itself, and sends the statement the morning after. */
  notification?: { name: string; number: number }
}

const endOfTime = -1
const archive = 'meridian-138-141.zip'
const periods: Period[] = [
  { account: 'EUR', name: 'camt053-138.xml', archive, number: 138, from: 100, until: 53 },
  { account: 'EUR', name: 'camt053-139.xml', archive, number: 139, from: 53, until: 46 },
  { account: 'EUR', name: 'camt053-140.xml', archive, number: 140, from: 46, until: 38 },
  { account: 'EUR', name: 'camt053-141.xml', archive, number: 141, from: 38, until: 31 },
  { account: 'EUR', name: 'camt053-142.xml', number: 142, from: 31, until: newestWorkedDay },
  {
    account: 'EUR',
    name: 'camt053-143.xml',
    number: 143,
    from: newestWorkedDay,
    until: endOfTime,
    notification: { name: 'camt054-211.xml', number: 211 },
  },
  { account: 'GBP', name: 'harbour-37.sta', number: 37, from: 100, until: 31 },
  {
    account: 'GBP',
    name: 'harbour-39.sta',
    number: 39,
    from: 31,
    until: endOfTime,
    missing: 125_000_000n,
    unlisted: 1_800_000n,
  },
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
  const balances = { ...openings }
  const written = periods.flatMap((period) => {
    const { archive: zip, account, notification } = period
    const notified = notification ? writeNotification(maker.movements, notification.number) : null
    const file = writePeriod(period, maker.movements, instant, balances)
    return [
      ...(notification && notified ? [{ ...notified, account, name: notification.name, archive: undefined }] : []),
      ...(file ? [{ ...file, archive: zip }] : []),
    ]
  })
  const files = zipTogether(written, instant)
  return { files, orders: leaveUnpaid(orders, files) }
}

/** One order names another account of ours than its money comes to. */
function nameOtherAccount(orders: readonly DemoOrder[]): DemoOrder[] {
  const waiting = orders.filter(({ status, currency }) => status === 'waiting_payment' && currency === 'EUR')
  const chosen = waiting.at(-unpaidOrders - 1)
  return orders.map((order) => (order === chosen ? { ...order, ...paymentAccounts.GBP } : order))
}

/** The files of one archive come as one. */
function zipTogether(files: readonly (DemoFile & { archive: string | undefined })[], instant: number): DemoFile[] {
  const groups = Map.groupBy(files, ({ archive: zip, name }) => zip ?? name)
  return [...groups].map(([name, group]) => {
    const [first] = group
    if (!first?.archive) return first!
    const entries: Zippable = {}
    for (const file of group) entries[file.name] = [file.content, { mtime: instant }]
    return {
      name,
      account: first.account,
      content: Buffer.from(zipSync(entries)),
      payments: group.flatMap(({ payments }) => payments),
    }
  })
}

/** Writes the statement of a period, and adds its movements to the account's balance. */
function writePeriod(
  { account, name, number, from, until, missing = 0n, unlisted = 0n }: Period,
  all: readonly DemoMovement[],
  instant: number,
  balances: Record<DemoCurrency, bigint>,
): DemoFile | null {
  const [first, end] = [toDay(instant - from * day), toDay(instant - until * day)]
  const movements = bookBatches(
    all.filter((each) => each.account === account && each.bookedOn > first && each.bookedOn <= end),
  )
  if (movements.length === 0) return null
  const opening = fromUnits(balances[account] + missing)
  const ends = listBalances(movements, { opening }).at(-1)!
  const closing = fromUnits(ends - unlisted)
  const settings = { ...demoAccounts[account], number, opening, closing, owner: accountOwner }
  const writers = {
    EUR: () => writeCamt(movements, settings, { kind: '053', version: '001.08' }),
    GBP: () => writeMt940(movements, settings, 'plain'),
    USD: () => writeCsv(movements, settings, 'uk'),
  }
  const written = writers[account]()
  balances[account] = ends - unlisted
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
