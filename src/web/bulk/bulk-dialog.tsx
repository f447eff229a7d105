import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { bulkRoutes, mostBulkRequests, readBulkDesign } from '#contract/bulk.ts'
import type { BulkPrepared, PrepareBulk } from '#contract/schemas/bulk.ts'
import { displayName } from '#contract/members.ts'
import { call, describeChangeRefusal, describeError, isUnauthorized } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { checkLength } from '#web/lib/length.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { formatSums } from './selection.ts'
import { Doubts } from '#web/reviews/doubts.tsx'
import { useSecondPress } from '#web/reviews/use-second-press.ts'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'

interface BulkDialogProps {
  asked: PrepareBulk
  onClose: () => void
  onStarted: () => void
}

/** Shows what a bulk job would be about, asks its reason once and starts it. */
export default function BulkDialog({ asked, onClose, onStarted }: BulkDialogProps) {
  const { button, noun, ask, consequence, reason: field, doubt, isDanger } = readBulkDesign(asked.action)
  const [reason, setReason] = useState('')
  const prepared = useQuery(preparedQuery(asked, useId()))
  const { data } = prepared
  const { start, isPending, refusal } = useStart(() => {
    onClose()
    onStarted()
  })
  const doubts = doubt && data?.doubtful ? [describeDoubt(data.doubtful, doubt)] : []
  const hint = data && doubt?.hint
  const secondPress = useSecondPress(doubts.length > 0 || hint !== undefined)
  const length = checkLength(reason, field?.max ?? 0)
  const isMissing = field !== null && field.refusal !== null && reason.trim() === ''
  const what = data && ask(`${formatCount(data.job.total)} ${data.job.total === 1 ? noun[0] : noun[1]}`)
  return (
    <FormDialog
      title={`${what ?? button}?`}
      description={consequence}
      action={secondPress.nameAction({
        label: data?.mayNeedApproval ? 'Request Approvals' : (what ?? button),
        tone: isDanger ? 'danger' : 'primary',
        disabled: !data || length.error !== null || isMissing,
      })}
      refusal={refusal}
      pending={isPending}
      onSubmit={() => data && secondPress.press(() => start({ id: data.job.id, reason: reason.trim() || null }))}
      onClose={onClose}
    >
      {prepared.isError ? <PrepareFailure query={prepared} /> : <Meant prepared={data} />}
      <Doubts {...{ doubts, secondPress }} {...(hint && { hint })} act={button.toLowerCase()} className="mb-4" />
      {field && (
        <LongTextField
          label={field.label}
          optional={field.refusal === null}
          {...length}
          value={reason}
          onType={setReason}
        />
      )}
    </FormDialog>
  )
}

const describeDoubt = (count: number, { one, many }: { one: string; many: string }) =>
  `${formatCount(count)} of them ${count === 1 ? one : many}.`

/** Starts a prepared job, whose card then shows how it goes. */
function useStart(onStarted: () => void) {
  const client = useQueryClient()
  const { mutate, isPending, error } = useSingleMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string | null }) =>
      call(bulkRoutes.start, { params: { id }, body: { reason } }),
    onSuccess: () => {
      onStarted()
      void client.invalidateQueries({ queryKey: [bulkRoutes.list.path] })
    },
  })
  return { start: mutate, isPending, refusal: error && !isUnauthorized(error) ? describeChangeRefusal(error) : null }
}

const PrepareFailure = ({ query }: { query: { error: unknown; isFetching: boolean; refetch: () => unknown } }) => (
  <Note
    tone="danger"
    role="alert"
    className="mb-4"
    action={
      <Button size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
        Try Again
      </Button>
    }
  >
    {describeError(query.error)}
  </Note>
)

type Sample = BulkPrepared['sample'][number]
const nameSample = ({ label, user, entityId }: Sample) =>
  [label !== null && (/^[a-z_]+$/.test(label) ? formatMachineName(label) : label), user && displayName(user)]
    .filter(Boolean)
    .join(', ') || entityId

/** The first rows by name, how many more there are, and what will not be done. */
function Meant({ prepared }: { prepared: BulkPrepared | undefined }) {
  if (!prepared)
    return (
      <div className="mb-4">
        <output className="sr-only">Counting...</output>
        <div aria-hidden className="grid gap-2">
          <Skeleton className="h-4 w-52" />
          <Skeleton className="h-4 w-64 max-w-full" />
          <Skeleton className="h-4 w-40" />
        </div>
      </div>
    )
  const { job, sums, sample, ready, mayNeedApproval } = prepared
  const rest = job.total - sample.length
  const skipped = job.total - ready
  return (
    <div className="mb-4">
      {sums.length > 0 && (
        <p className="mb-2 text-13 tabular-nums">
          Together <b className="font-semibold">{formatSums(sums)}</b>
        </p>
      )}
      <ul aria-label="Among them" className="rounded-m border px-3 py-1.5 text-13">
        {sample.map((each) => (
          <li key={each.entityId} className="truncate py-0.5">
            <bdi>{nameSample(each)}</bdi>
          </li>
        ))}
        {rest > 0 && <li className="py-0.5 text-quiet tabular-nums">and {formatCount(rest)} more</li>}
      </ul>
      {skipped > 0 && (
        <p className="mt-2 text-13 text-quiet tabular-nums">
          {skipped === job.total
            ? 'As they are now, it can be done to none of them.'
            : `${formatCount(skipped)} of them ${skipped === 1 ? 'is' : 'are'} left as they are: it can’t be done to them now.`}
        </p>
      )}
      {mayNeedApproval && (
        <Note role="note" className="mt-3">
          A rule lets a second operator approve this: each row that it covers becomes a request, at most{' '}
          {mostBulkRequests} at once.
        </Note>
      )}
    </div>
  )
}

/** Freezes the rows of a job, once for each time that a dialog opens. */
const preparedQuery = (asked: PrepareBulk, opened: string) =>
  queryOptions({
    queryKey: ['bulk prepared', opened],
    queryFn: () => call(bulkRoutes.prepare, { body: asked }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
