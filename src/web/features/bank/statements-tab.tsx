import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import { bankStatementList } from '#contract/lists.ts'
import { call } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { type AcceptableProblem, statementColumns } from './statement-columns.tsx'

interface StatementsTabProps {
  /** Undefined: of all accounts. */
  accountId: string | undefined
}

/** The statements that the address bar asks for. */
const useStatements = (accountId: string | undefined) =>
  useList(bankStatementList, bankRoutes.statements, { adjust: () => ({ accountId }) })

/** The imported statements of one account, or of all, with their balances. */
export function StatementsTab({ accountId }: StatementsTabProps) {
  const list = useStatements(accountId)
  const [accepting, setAccepting] = useState<AcceptableProblem | null>(null)
  const columns = useMemo(() => statementColumns(accountId === undefined, setAccepting), [accountId])
  return (
    <>
      <DataTable
        label="Bank statements"
        entity="statement"
        columns={columns}
        rows={list.query.data?.statements}
        rowId={(statement) => statement.id ?? ''}
        list={list}
        toolbar={
          <>
            <ExportButton name="bankStatements" query={list.filter} />
            <RefreshButton refresh={list.refresh} done="Statements are up to date." />
          </>
        }
        origin="Statements appear here once you import a file of the bank."
      />
      {accepting && <AcceptDialog {...accepting} onClose={() => setAccepting(null)} />}
    </>
  )
}

function AcceptDialog({ statement, problem, onClose }: AcceptableProblem & { onClose: () => void }) {
  const { id, number, accountName, difference } = statement
  const args = (reason: string) => ({ params: { id: id ?? '' }, body: { reason } })
  const texts =
    problem === 'gap'
      ? {
          title: number === null ? 'Accept the gap?' : `Accept the gap before ${number}?`,
          description:
            'For a statement that never comes: its bank left a number out, or the account was opened again. The statement counts as complete from then on, at the bell too.',
          action: { label: 'Accept Gap', icon: Check },
          failure: 'Failed to accept the gap',
          send: (reason: string) => call(bankRoutes.acceptGap, args(reason)),
        }
      : {
          title: number === null ? 'Accept the difference?' : `Accept the difference in ${number}?`,
          description: `For balances that the bank itself has wrong, by ${formatAmount(difference ?? '0')}: no line is missing, and none is twice. The statement counts as right from then on, at the bell too.`,
          action: { label: 'Accept Difference', icon: Check },
          failure: 'Failed to accept the difference',
          send: (reason: string) => call(bankRoutes.acceptDifference, args(reason)),
        }
  return <ReasonDialog {...texts} done={accountName} onClose={onClose} />
}
