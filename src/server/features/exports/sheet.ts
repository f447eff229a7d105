import { displayName } from '#contract/users.ts'
import type { CsvCell } from '#server/http/csv.ts'
import type { ListAsked } from '#server/db/list.ts'

/** A list as a file: which rows a query asks for, and what stands in each column. */
export interface Sheet<Query> {
  buildList: (query: Query) => ListAsked
  heads: string[]
  cells: (row: object) => CsvCell[]
}

type Columns<Row> = Record<string, (row: Row) => CsvCell>

/**
 * The screen's columns under the screen's heads; a cell that holds several facts is several columns here. States read as
 * their badges do; what has a name of its own for machines (event types, actions) keeps it.
 */
export function defineSheet<Query, Row extends object>(
  ask: (query: Query) => ListAsked,
  columns: Columns<Row>,
): Sheet<Query> {
  const readers = Object.values(columns)
  return {
    buildList: ask,
    heads: Object.keys(columns),
    // What `ask` selects is what the contract calls a row of this list.
    cells: (row) => readers.map((read) => read(row as Row)),
  }
}

interface MemberRef {
  id: string
  email: string
  legalFirstName: string | null
  legalLastName: string | null
}

/** A User column: who they are, split. */
export const memberColumns = <Row>(memberOf: (row: Row) => MemberRef) => ({
  'User ID': (row: Row) => memberOf(row).id,
  Name: (row: Row) => displayName(memberOf(row)),
  Email: (row: Row) => memberOf(row).email,
})

interface BanState {
  kycBanned: boolean
  bannedReason: string | null
}

/** Whether that member is banned, and why. */
export const banColumns = <Row>(memberOf: (row: Row) => BanState) => ({
  'User Status': (row: Row) => (memberOf(row).kycBanned ? 'Banned' : 'Active'),
  'Ban Reason': (row: Row) => memberOf(row).bannedReason,
})

/** A state as its badge reads: `under_review` → `Under Review`. */
export const formatState = (state: string) =>
  state
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
