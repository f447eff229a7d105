import { CircleAlert } from 'lucide-react'
import { bankDirectionLabels } from '#contract/bank.ts'
import type { BankAccount, ImportedStatement } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/words.ts'
import { Difference } from '#web/bank/difference.tsx'
import { listStatementProblems } from '#web/bank/statement-problems.tsx'
import { Button } from '#web/ui/button.tsx'
import type { ImportReply } from './upload.ts'

interface ImportResultProps {
  reply: ImportReply
  /** As they are now. */
  accounts: readonly BankAccount[]
  onTake: (rows: number[]) => void
}

/** What came of a file: its lines, its statements, and all that was odd or could not be read. */
export function ImportResult({ reply, accounts, onTake }: ImportResultProps) {
  const { linesNew, linesKnown, unreadableCount } = reply.import
  return (
    <div className="mt-1.5">
      <output className="block">
        {linesNew === 0 ? 'No new line' : `${countLines(linesNew)} new`}
        {linesKnown > 0 && `, ${formatCount(linesKnown)} known before`}
        {unreadableCount > 0 && `, ${formatCount(unreadableCount)} could not be read`}
      </output>
      {reply.statements.length > 0 && (
        <ul aria-label="Statements" className="mt-2 grid gap-1.5 border-t pt-2">
          {reply.statements.map((statement, at) => (
            <StatementResult key={statement.id ?? at} statement={statement} />
          ))}
        </ul>
      )}
      <AccountProblems {...{ reply, accounts }} />
      <KnownLines reply={reply} onTake={onTake} />
      <Problems name="Could not be read" texts={reply.unreadable} total={unreadableCount} isDanger />
      <Problems name="Odd, but imported" texts={reply.warnings} total={reply.warnings.length} />
    </div>
  )
}

/** Statements that hold alone may contradict others of their account: what the account's head says, the import says at once. */
function AccountProblems({ reply, accounts }: Pick<ImportResultProps, 'reply' | 'accounts'>) {
  const ids = new Set(reply.statements.map(({ accountId }) => accountId))
  const found = accounts
    .filter(({ id }) => ids.has(id))
    .map((account) => ({ account, problems: listStatementProblems(account) }))
    .filter(({ problems }) => problems.length > 0)
  if (found.length === 0) return null
  return (
    <ul aria-label="Check" className="mt-2 grid gap-1 text-danger-ink">
      {found.map(({ account: { id, name }, problems }) => (
        <li key={id} className="flex items-start gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            <bdi>{name}</bdi> now: {problems.map(({ words }) => words).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What came in and went out by a statement. */
export const MovedSums = ({ statement }: { statement: ImportedStatement }) => (
  <span className="tabular-nums">
    <span className="text-quiet">In </span>
    <span className="whole-number">{formatAmount(statement.credits)}</span>
    <span className="text-quiet">, out </span>
    <span className="whole-number">{formatAmount(statement.debits)}</span>{' '}
    <span className="text-quiet">{statement.currency}</span>
  </span>
)

const StatementResult = ({ statement }: { statement: ImportedStatement }) => (
  <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
    <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
      <bdi className="font-medium">{statement.accountName}</bdi>{' '}
      <span className="text-quiet">
        {statement.kind}
        {statement.number && (
          <>
            {' '}
            <bdi>{statement.number}</bdi>
          </>
        )}
      </span>
    </span>
    <MovedSums statement={statement} />
    {statement.closing !== null && (
      <span className="tabular-nums">
        <span className="text-quiet">Closing </span>
        <span className="whole-number">{formatAmount(statement.closing)}</span>
      </span>
    )}
    <span>
      {statement.difference !== null && <span className="text-quiet">Difference </span>}
      <Difference difference={statement.difference} />
    </span>
  </li>
)

interface ProblemsProps {
  name: string
  /** The first of them. */
  texts: string[]
  total: number
  isDanger?: boolean
}

export function Problems({ name, texts, total, isDanger = false }: ProblemsProps) {
  if (texts.length === 0) return null
  return (
    <div className="mt-2.5 border-t pt-2">
      <h3 className={cn('text-13', isDanger ? 'text-danger-ink' : 'text-warning-ink')}>
        {name} ({formatCount(total)})
      </h3>
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={texts.length > 8 ? 0 : undefined}
        aria-label={name}
        className="mt-1 max-h-48 list-disc overflow-y-auto pl-5 wrap-anywhere"
      >
        {texts.map((text, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- equal texts may stand twice, and nothing moves
          <li key={at}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
      {total > texts.length && (
        <p className="mt-1 text-12 text-quiet">Named are the first {formatCount(texts.length)}.</p>
      )}
    </div>
  )
}

interface KnownLinesProps {
  reply: ImportReply
  onTake: (rows: number[]) => void
}

/** Lines of a CSV file that equal lines of another file. Only a person can tell whether they are other payments. */
function KnownLines({ reply: { knownLines, import: taken, statements }, onTake }: KnownLinesProps) {
  if (knownLines.length === 0) return null
  const currency = statements[0]?.currency
  return (
    <div className="mt-2.5 border-t pt-2">
      <h3 className="text-13">Known before ({formatCount(taken.linesKnown)})</h3>
      <p className="text-12 text-quiet">
        Equal lines came with another file, and are not taken twice. Import one anyway if it is another payment.
      </p>
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={knownLines.length > 4 ? 0 : undefined}
        aria-label="Known before"
        className="mt-1.5 grid max-h-48 gap-1.5 overflow-y-auto"
      >
        {knownLines.map(({ row, bookedOn, direction, amount, payer, text }) => (
          <li key={row} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <span className="text-quiet">Row {row}</span> {bookedOn} <bdi>{payer}</bdi>{' '}
              <bdi className="text-quiet">{text}</bdi>
            </span>
            <span className="tabular-nums">
              {bankDirectionLabels[direction]} <span className="whole-number">{formatAmount(amount)}</span>{' '}
              <span className="text-quiet">{currency}</span>
            </span>
            <Button size="small" aria-label={`Import Anyway: row ${row}`} onClick={() => onTake([row])}>
              Import Anyway
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
