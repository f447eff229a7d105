import type { StatementAttention } from '#contract/bank.ts'
import type { BankStatement } from '#contract/schemas/bank.ts'
import { formatDay, formatInstant, splitInstant } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { MiddleTruncated } from '#web/ui/middle-truncated.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { Difference } from '#web/bank/difference.tsx'
import { buildAccountColumn } from './account-column.tsx'
import { FileLink } from './file-link.tsx'

const column = createColumns<BankStatement>()
const secondLine = 'block text-12 text-quiet'

/** A statement, and what of it somebody may accept. */
export interface AcceptableProblem {
  statement: BankStatement
  problem: StatementAttention
}
type AcceptProblem = (given: AcceptableProblem) => void

/** What of a statement somebody may accept: first that the one before is missing. */
function findAcceptable({ isGap, difference, acceptedDifference }: BankStatement): StatementAttention | null {
  if (isGap) return 'gap'
  return difference !== null && !isZero(difference) && !acceptedDifference ? 'difference' : null
}

const AcceptButton = ({ statement, onAccept }: { statement: BankStatement; onAccept: AcceptProblem }) => {
  const problem = findAcceptable(statement)
  if (problem === null) return null
  const name = statement.number ?? 'this statement'
  return (
    <PermissionGate permission="bank.import">
      <ChangeButton
        size="small"
        aria-haspopup="dialog"
        aria-label={problem === 'gap' ? `Accept the gap before ${name}` : `Accept the difference in ${name}`}
        onClick={() => onAccept({ statement, problem })}
      >
        Accept
      </ChangeButton>
    </PermissionGate>
  )
}

const Accepted = ({ what, accepted }: { what: string; accepted: BankStatement['acceptedGap'] }) =>
  accepted && (
    <span className="line-clamp-2 text-12 wrap-anywhere text-quiet blocks:line-clamp-1" title={accepted.reason}>
      {what} accepted by <bdi>{accepted.by}</bdi>: <bdi>{accepted.reason}</bdi>
    </span>
  )

/** That the statement before is missing. */
function Gap({ statement: { isGap, jump } }: { statement: BankStatement }) {
  if (!isGap) return null
  return (
    <span className="block text-12 rows:mt-0.5 text-danger-ink">
      The one before is missing{jump !== null && !isZero(jump) && `: ${formatAmount(jump)}`}
    </span>
  )
}

/** That the next statement begins otherwise than this one ends. */
function Contradiction({ statement: { contradiction, currency } }: { statement: BankStatement }) {
  if (!contradiction) return null
  const { number, day, opening } = contradiction
  return (
    <span className="block text-12 rows:mt-0.5 wrap-anywhere text-danger-ink">
      The next, {number === null ? `of ${formatDay(day)}` : `no. ${number}`}, begins with {formatAmount(opening)}{' '}
      {currency}
    </span>
  )
}

interface StatementNumberProps {
  statement: BankStatement
  hasAccount: boolean
}

/** The bank's number with the kind of the file. */
function StatementNumber({ statement, hasAccount }: StatementNumberProps) {
  return (
    <div className="min-w-0 leading-4.5 rows:py-1">
      <span className="flex min-w-0 items-center gap-x-2 blocks:flex-wrap">
        <span className="min-w-0 font-medium">
          {statement.number ? (
            <MiddleTruncated text={statement.number} />
          ) : (
            <span className="font-regular text-quiet">No number</span>
          )}
        </span>
        <span className="text-12 whitespace-nowrap text-quiet">
          {statement.kind} · {statement.currency}
        </span>
      </span>
      {hasAccount && (
        <ShownBelow width={1180} className="text-12 text-quiet">
          <TruncatedText>{statement.accountName}</TruncatedText>
        </ShownBelow>
      )}
      <Accepted what="Gap before it" accepted={statement.acceptedGap} />
      <Gap statement={statement} />
      <Accepted what="Difference" accepted={statement.acceptedDifference} />
      <Contradiction statement={statement} />
    </div>
  )
}

/** A balance over its day. */
const Balance = ({ amount, day }: { amount: string | null; day: string | null }) => (
  <span className="block leading-4.5">
    {amount === null ? <MissingValue>None</MissingValue> : <span className="whole-number">{formatAmount(amount)}</span>}
    {day && <span className={`${secondLine} whitespace-nowrap`}>{formatDay(day)}</span>}
  </span>
)

/** Nothing has no sign. */
const formatSigned = (sign: '+' | '−', amount: string) => (isZero(amount) ? '' : sign) + formatAmount(amount)

/** The movements, in the cell of a hidden column. */
const Movements = ({ statement: { credits, debits } }: { statement: BankStatement }) => (
  <>
    <span className="whole-number block">{formatSigned('+', credits)}</span>
    <span className="whole-number block">{formatSigned('−', debits)}</span>
  </>
)

const LineCounts = ({ statement: { linesNew, linesKnown } }: { statement: BankStatement }) => (
  <span className="block leading-4.5 whitespace-nowrap tabular-nums">
    {formatCount(linesNew)} new
    {linesKnown > 0 && <span className={secondLine}>{formatCount(linesKnown)} known</span>}
  </span>
)

/** The file over the day on which it was imported, and by whom. */
function ImportedFile({ statement: { importId, fileName, importedAt, importedBy } }: { statement: BankStatement }) {
  return (
    <div className="min-w-0 leading-4.5">
      <FileLink {...{ importId, fileName }} />
      <span className={`${secondLine} truncate`} title={`${formatInstant(importedAt)} by ${importedBy}`}>
        <time dateTime={importedAt}>{splitInstant(importedAt).day}</time> by <bdi>{importedBy}</bdi>
      </span>
    </div>
  )
}

const balanceColumns = [
  column.accessor('opening', {
    header: 'Opening',
    cell: ({ row: { original } }) => <Balance amount={original.opening} day={original.openingOn} />,
    meta: { width: '92px', align: 'right', hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('credits', {
    header: 'Money In',
    cell: ({ getValue }) => <span className="whole-number">{formatSigned('+', getValue())}</span>,
    meta: { width: '92px', align: 'right', hideBelow: 1100, narrow: 'hidden' },
  }),
  column.accessor('debits', {
    header: 'Money Out',
    cell: ({ getValue }) => <span className="whole-number">{formatSigned('−', getValue())}</span>,
    meta: { width: '92px', align: 'right', hideBelow: 1100, narrow: 'hidden' },
  }),
  column.display({
    id: 'closing',
    header: 'Closing',
    cell: ({ row: { original } }) => (
      <div>
        <Balance amount={original.closing} day={original.closingOn} />
        <ShownBelow width={880} className="text-12 text-quiet blocks:hidden">
          <Movements statement={original} />
        </ShownBelow>
      </div>
    ),
    meta: { width: '92px', align: 'right', narrow: 'aside' },
  }),
]

/** The columns of the statements (product 5.13). */
export const statementColumns = (hasAccount: boolean, onAccept: AcceptProblem) => [
  column.accessor('number', {
    header: 'Statement',
    cell: ({ row: { original } }) => <StatementNumber statement={original} hasAccount={hasAccount} />,
    meta: { min: '170px', narrow: 'subject' },
  }),
  ...(hasAccount ? [buildAccountColumn<BankStatement>('100px')] : []),
  ...balanceColumns,
  column.accessor('difference', {
    header: 'Difference',
    cell: ({ row: { original } }) => (
      <Difference
        difference={original.contradiction?.difference ?? original.difference}
        isAccepted={original.contradiction === null && original.acceptedDifference !== null}
      />
    ),
    meta: { width: '100px', align: 'right', narrow: 'aside' },
  }),
  column.display({
    id: 'lines',
    header: 'Lines',
    cell: ({ row: { original } }) => <LineCounts statement={original} />,
    meta: { width: '64px', hideBelow: 800, narrow: 'hidden' },
  }),
  column.accessor('fileName', {
    header: 'File',
    cell: ({ row: { original } }) => <ImportedFile statement={original} />,
    meta: { min: '136px', narrow: 'hidden' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <AcceptButton statement={original} onAccept={onAccept} />
        <ShownBelow width={lowBlocks} className="[&_bdi]:sr-only [&_button]:justify-center [&_button]:after:hidden">
          <FileLink {...original} />
        </ShownBelow>
      </RowActions>
    ),
    meta: { width: '64px', align: 'right', narrow: 'button' },
  }),
]
