import { createColumns } from '#web/table/columns.ts'
import { TruncatedText } from '#web/ui/truncated-text.tsx'

/** The account of a row, for lists of all accounts. `min` is its least width. */
export const buildAccountColumn = <Row extends { accountName: string }>(min = '96px') =>
  createColumns<Row>().display({
    id: 'accountName',
    header: 'Account',
    cell: ({ row: { original } }) => <TruncatedText>{original.accountName}</TruncatedText>,
    meta: { min, hideBelow: 1180, narrow: 'hidden' },
  })
