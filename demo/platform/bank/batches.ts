import { accountOwner, demoAccounts } from './accounts.ts'
import { addAmounts, type DemoMovement } from './payments.ts'
import type { WrittenFile } from './statement-file.ts'
import { writeCamt } from './write-camt.ts'

/** The payments that the bank books as one sum, in a camt.054 that names them. Null where there are none. */
export function writeNotification(all: readonly DemoMovement[], number: number): WrittenFile<DemoMovement> | null {
  const movements = all.flatMap((each) => (each.batch === undefined ? [] : [{ ...each, reference: each.batch }]))
  if (movements.length < 2) return null
  const settings = { ...demoAccounts.EUR, number, owner: accountOwner }
  return writeCamt(movements, settings, { kind: '054', version: '001.08', largestBatch: movements.length })
}

/** What the bank books as one sum is one movement of its statement. A single payment is booked as it is. */
export function bookBatches(movements: readonly DemoMovement[]): DemoMovement[] {
  const batches = Map.groupBy(movements, ({ batch }) => batch)
  return [...batches].flatMap(([batch, payments]) =>
    batch === undefined || payments.length === 1 ? payments : [toSum(payments, batch)],
  )
}

const toSum = (payments: readonly DemoMovement[], reference: string): DemoMovement => ({
  ...payments[0]!,
  kind: 'sum',
  amount: addAmounts(...payments.map(({ amount }) => amount)),
  payer: { name: null, iban: null },
  text: `Collective credit, ${payments.length} payments`,
  reference,
  sumOf: payments.length,
})
