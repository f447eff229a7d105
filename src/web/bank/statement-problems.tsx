import { CircleAlert } from 'lucide-react'
import type { ImportAttention, StatementAttention } from '#contract/bank.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'

type StatementProblem = BankAccount['problems']['gaps']
type Oldest = NonNullable<StatementProblem['oldest']>

/** "no. 12", else the day on which it ends. */
const nameStatement = ({ number, day }: Oldest) => (number === null ? `that of ${formatDay(day)}` : `no. ${number}`)

function describeDifferences(count: number, { amount, ...oldest }: Oldest): string {
  const where = `${amount === null ? 'Difference' : formatAmount(amount)} in ${nameStatement({ amount, ...oldest })}`
  return count > 1 ? `${formatCount(count)} statements with a difference, the first ${where}` : where
}

function describeGaps(count: number, oldest: Oldest): string {
  const sum = oldest.amount === null ? '' : ` of ${formatAmount(oldest.amount)}`
  const where = `${sum} before ${nameStatement(oldest)}`
  return count > 1 ? `${formatCount(count)} gaps, the first${where}` : `Gap${where}`
}

interface Problem {
  /** Undefined: all statements have to be looked at. */
  attention: StatementAttention | undefined
  words: string
  count: number
}

/** Statements that hold alone, and do not lead from the first balance to the last. */
function listOwnSum(proof: BankAccount['proof']): Problem[] {
  if (proof === null || isZero(proof.difference)) return []
  const words = `${formatAmount(proof.difference)} between the first balance and the last`
  return [{ attention: undefined, words, count: 1 }]
}

/** "2 rows of in.csv were not read". */
function describeUnreadable({ count, files, fileName }: NonNullable<BankAccount['unreadable']>): string {
  const where = files > 1 ? `${formatCount(files)} files` : fileName
  return `${formatCount(count)} ${count === 1 ? 'part' : 'parts'} of ${where} not read`
}

interface AccountProblem {
  tab: 'statements' | 'imports'
  /** Undefined: all statements have to be looked at. */
  attention: StatementAttention | ImportAttention | undefined
  words: string
}

/** What is wrong with an account's files and statements, the kind of the oldest statement first. Empty where all of them hold. */
export function listProblems(account: Pick<BankAccount, 'problems' | 'proof' | 'unreadable'>): AccountProblem[] {
  const { unreadable } = account
  return [
    ...(unreadable
      ? [{ tab: 'imports', attention: 'unreadable', words: describeUnreadable(unreadable) } as const]
      : []),
    ...listStatementProblems(account).map((each) => ({ tab: 'statements', ...each }) as const),
  ]
}

function describeProblem(attention: StatementAttention, { count, oldest }: StatementProblem) {
  if (oldest === null) return []
  const describe = attention === 'gap' ? describeGaps : describeDifferences
  return { attention, count, day: oldest.day, words: describe(count, oldest) }
}

/** What is wrong with the statements alone. */
export function listStatementProblems({ problems, proof }: Pick<BankAccount, 'problems' | 'proof'>): Problem[] {
  const found = [describeProblem('difference', problems.differences), describeProblem('gap', problems.gaps)].flat()
  return found.length === 0 ? listOwnSum(proof) : found.toSorted((a, b) => a.day.localeCompare(b.day))
}

/** Each leads to the statements that it counts. */
export const StatementProblems = ({ account }: { account: BankAccount }) => (
  <ul aria-label="Statements to look at" className="grid gap-0.5 font-medium">
    {listProblems(account).map(({ tab, attention, words }) => (
      <li key={words} className="flex items-center gap-1.5 text-danger-ink">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        <Link
          {...paths.bank({ tab, account: account.id, ...(attention && { attention }) })}
          className="hit-area underline"
        >
          <bdi className="wrap-anywhere">{words}</bdi>
        </Link>
      </li>
    ))}
  </ul>
)
