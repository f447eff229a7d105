import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useMemo, useState, type Dispatch, type SetStateAction } from 'react'
import { mostOperators } from '#contract/operators.ts'
import type { Invitation, Operator } from '#contract/schemas/operators.ts'
import { usePrefetchedRules } from '#web/approvals/approval-need.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { accountQuery } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { operatorColumns, type DialogName } from './columns.tsx'
import type { OpenedInvitation } from './invitation-dialog.tsx'
import { operatorsQuery } from './queries.ts'

const InvitationDialog = lazy(() => import('./invitation-dialog.tsx'))
const OperatorDialog = lazy(() => import('./operator-dialog.tsx'))

type OpenDialog = OpenedInvitation | { dialog: Exclude<DialogName, 'invitation'>; operator: Operator }

/** Operators (product 5.14): who may sign in, and what each may do. */
export default function OperatorsPage() {
  const query = useQuery(operatorsQuery())
  const { data, error } = query
  usePrefetchedRules()
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const ownId = account?.admin.id
  const columns = useMemo(() => operatorColumns(ownId, (dialog, operator) => setOpened({ dialog, operator })), [ownId])
  const operators = data?.operators
  const isFull = operators !== undefined && operators.length >= mostOperators
  if (error && !data) return <LoadFailure size="page" what="The operators" query={query} />
  return (
    <div className="gutter max-w-table py-4 md:py-6">
      <div className="mb-3 flex min-h-(--control) flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-quiet">
          Who may sign in to this console, and what each may do.
          {isFull && ` There are ${mostOperators}, and no more can be invited.`}
        </p>
        <ChangeButton
          variant="primary"
          aria-haspopup="dialog"
          disabled={!operators || isFull}
          onClick={() => setOpened({ dialog: 'invite' })}
        >
          <UserPlus aria-hidden />
          Invite Operator
        </ChangeButton>
      </div>
      <RefreshFailure what="The operators" query={query} className="mb-3" />
      <StaticTable
        label="Operators"
        columns={columns}
        rows={operators ?? noOperators}
        rowId={(operator) => operator.id}
        empty={operators ? 'No data available' : 'Loading...'}
      />
      {operators?.length === 1 && (
        <p className="mt-3 text-13 text-quiet">
          You are the only operator. Invite a second one, so that one of you can help when the other is locked out.
        </p>
      )}
      <OperatorDialogs opened={opened} setOpened={setOpened} />
    </div>
  )
}

const noOperators: Operator[] = []

interface OperatorDialogsProps {
  opened: OpenDialog | null
  setOpened: Dispatch<SetStateAction<OpenDialog | null>>
}

/** After an invitation its link takes the place of the form. */
function OperatorDialogs({ opened, setOpened }: OperatorDialogsProps) {
  const close = () => setOpened(null)
  const closeThis = () => setOpened((now) => (now === opened ? null : now))
  const showLink = (invitation: Invitation) => setOpened({ dialog: 'link', invitation })
  return (
    <LazyBoundary fallback={null} onFailure={close}>
      {opened &&
        (opened.dialog === 'invite' || opened.dialog === 'invitation' || opened.dialog === 'link' ? (
          <InvitationDialog opened={opened} onInvited={showLink} onClose={closeThis} />
        ) : (
          <OperatorDialog name={opened.dialog} operator={opened.operator} onClose={close} />
        ))}
    </LazyBoundary>
  )
}
