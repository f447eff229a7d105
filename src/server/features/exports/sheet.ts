import { displayName } from '#contract/members.ts'
import type { CsvCell } from '#server/http/csv.ts'
import type { ListRequest } from '#server/db/list.ts'

/** A list as a file: the rows of a query and the cells of each column. */
export interface Sheet<Query> {
  buildList: (query: Query) => ListRequest
  heads: string[]
  cells: (row: object) => CsvCell[]
}

type Columns<Row> = Record<string, (row: Row) => CsvCell>

/**
 * Defines a sheet with the columns and headings of the screen. A cell with several facts becomes several columns.
 * States read like their badges. Event types and actions keep their technical names.
 */
export function defineSheet<Query, Row extends object>(
  buildList: (query: Query) => ListRequest,
  columns: Columns<Row>,
): Sheet<Query> {
  const readers = Object.values(columns)
  return {
    buildList,
    heads: Object.keys(columns),
    // The list selects the row type of the contract.
    cells: (row) => readers.map((read) => read(row as Row)),
  }
}

interface MemberRef {
  id: string
  email: string
  legalFirstName: string | null
  legalLastName: string | null
}

/** The columns of a member. */
export const memberColumns = <Row>(memberOf: (row: Row) => MemberRef) => ({
  'User ID': (row: Row) => memberOf(row).id,
  Name: (row: Row) => displayName(memberOf(row)),
  Email: (row: Row) => memberOf(row).email,
})

interface BanState {
  kycBanned: boolean
  bannedReason: string | null
}

/** Whether the member is banned, and why. */
export const banColumns = <Row>(memberOf: (row: Row) => BanState) => ({
  'User Status': (row: Row) => (memberOf(row).kycBanned ? 'Banned' : 'Active'),
  'Ban Reason': (row: Row) => memberOf(row).bannedReason,
})

/** A state as its badge shows it: `under_review` → `Under Review`. */
export const formatState = (state: string) =>
  state
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
