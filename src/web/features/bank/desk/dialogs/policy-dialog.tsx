import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'
import { call, describeError } from '#web/api.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { Dialog, DialogBody } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { useCan } from '#web/use-can.ts'
import { PolicyFields, findPolicyProblems, readDraft, readPolicy, type PolicyDraft } from './policy-fields.tsx'
import { policyQuery } from '#web/features/bank/desk/queries.ts'

const title = 'Reconciliation policy'

/** What the console may apply together, and what is suggested (product 7.11). */
export default function PolicyDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(policyQuery())
  if (data) return <PolicyForm policy={data.policy} onClose={onClose} />
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody>
        {error ? (
          <LoadFailure what="The policy" query={{ error, isFetching, refetch }} />
        ) : (
          <Skeleton className="h-60" />
        )}
      </DialogBody>
    </Dialog>
  )
}

const fetchPolicy = async (_policy: BankPolicy, client: QueryClient) =>
  (await client.fetchQuery({ ...policyQuery(), staleTime: 0 })).policy

function PolicyForm({ policy, onClose }: { policy: BankPolicy; onClose: () => void }) {
  const mayChange = useCan('bank.policy')
  const [draft, setDraft] = useState(() => readDraft(policy))
  const change = useChange({
    entity: policy,
    check: () => findPolicyProblems(draft),
    send: ({ version }) =>
      call(allocationRoutes.savePolicy, { body: readPolicy(draft) satisfies PolicyChange, ifMatch: version }),
    fetchFresh: fetchPolicy,
    refetch: refetchBank,
    success: allocationTexts.policySaved,
    describe: (reply) => (reply.policy.autoApply ? 'Exact lines may be applied together.' : allocationTexts.policyOff),
    failure: (error) => describeError(error, 'Failed to save the policy'),
    onDone: onClose,
  })
  const need = useApprovalNeed('set_bank_policy')
  const takeChange = (changed: Partial<PolicyDraft>) => {
    setDraft((now) => ({ ...now, ...changed }))
    change.clearProblems(draft)
  }
  return (
    <FormDialog
      title={title}
      description={<PolicyRecord policy={change.current} />}
      action={need.nameAction({ label: 'Save', disabled: !mayChange })}
      {...change.form}
      onClose={onClose}
    >
      {!mayChange && <Note className="mb-4">You may read the policy, but not change it.</Note>}
      <ApprovalNote need={need} />
      <PolicyFields draft={draft} problems={change.problems} isDisabled={!mayChange} onChange={takeChange} />
      <ConflictHelp conflict={change.conflict}>
        Reloaded: changed {change.current.changedBy !== null && `by ${change.current.changedBy}`}. Saving replaces it by
        what stands here.
      </ConflictHelp>
    </FormDialog>
  )
}

/** What speaks for switching it on: how often it would have been right so far. */
function PolicyRecord({ policy: { confirmed, changedBy, changedAt } }: { policy: BankPolicy }) {
  return (
    <>
      {confirmed.total > 0
        ? `Of the lines that you decided one by one, the policy would have been right for ${formatCount(confirmed.right)} of ${formatCount(confirmed.total)}.`
        : 'No evidence yet: the policy would have applied 0 lines so far.'}
      {changedBy !== null && changedAt !== null && (
        <span className="mt-1 block text-12">
          Changed by <bdi>{changedBy}</bdi> <Instant value={changedAt} />
        </span>
      )}
    </>
  )
}
