/** An order that a list can be shown in. Its name is the value of `sort` in calls and addresses. */
export interface Sort {
  /** "Newest first" */
  label: string
  /** The column of the table whose head chooses it. */
  column: string
  direction: 'ascending' | 'descending'
}

/** The orders of a list; the first is the list's own. */
export type Sorts<Name extends string = string> = Readonly<Record<Name, Sort>>

/** The order by when a row came, of which every list has an index. */
const byDate = (column: string) =>
  ({
    newest: { label: 'Newest first', column, direction: 'descending' },
    oldest: { label: 'Oldest first', column, direction: 'ascending' },
  }) as const satisfies Sorts

export const createdSorts = byDate('createdAt')
export const submittedSorts = byDate('submittedAt')

/** Amounts are compared inside a currency alone (docs/decisions/093). */
export const orderSorts = {
  ...createdSorts,
  largest: { label: 'Largest amount first, by currency', column: 'investmentAmount', direction: 'descending' },
  smallest: { label: 'Smallest amount first, by currency', column: 'investmentAmount', direction: 'ascending' },
  expiring: { label: 'Expires soonest', column: 'expiresAt', direction: 'ascending' },
} as const satisfies Sorts

export const platformTransactionSorts = {
  ...createdSorts,
  largest: { label: 'Largest amount first', column: 'amount', direction: 'descending' },
  smallest: { label: 'Smallest amount first', column: 'amount', direction: 'ascending' },
} as const satisfies Sorts

export const lineSorts = byDate('bookedOn')
