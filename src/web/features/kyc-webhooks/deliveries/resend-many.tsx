import { Send } from 'lucide-react'
import { use, useState } from 'react'
import type { DeliveryState } from '#contract/deliveries.ts'
import { formatCount } from '#web/lib/money.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { buildFilter, type DeliveryFilter } from './queries.ts'
import type { ResendRequest } from './resend-dialog.tsx'
import { PageCheckbox, SelectionContext } from './selection.tsx'
import { useResend } from './use-resend.ts'

const ResendDialog = lazy(() => import('./resend-dialog.tsx'))

/** States of messages that are never resent: received ones, and those of deleted endpoints. */
const neverResent = new Set<string>([
  'applied',
  'recorded',
  'duplicate',
  'refused',
  'dropped',
] satisfies DeliveryState[])

interface ResendManyProps {
  filter: DeliveryFilter
  /** How many messages the filter shows. */
  total: number
  /** Whether the total is still that of another filter. */
  isOutdated: boolean
}

/** Resends the selected messages, or all that the filter shows. */
export function ResendMany({ filter, total, isOutdated }: ResendManyProps) {
  const selection = use(SelectionContext)
  const { isPending, isLocked } = useResend('many')
  const [asked, setAsked] = useState<ResendRequest | null>(null)
  if (!selection) return null
  const { rows, chosen } = selection
  const canResendAny = filter.kind !== 'result' && !neverResent.has(filter.status)
  const superseded = rows.filter(({ id, isSuperseded }) => isSuperseded && chosen.includes(id)).length
  const { search, ...rest } = buildFilter({ ...filter, sort: undefined })
  // Without a filter there is no button, so that nobody resends the whole history.
  const isNarrowed = [search, ...Object.values(rest)].some(Boolean)
  const isBlocked = isLocked && !isPending
  const askForChosen = () => setAsked({ isAll: false, count: chosen.length, superseded, body: { ids: chosen } })
  const askForAll = () =>
    setAsked({ isAll: true, count: total, superseded: null, body: { filter: { ...rest, ...(search && { search }) } } })
  return (
    <>
      {canResendAny && <PageCheckbox text="Select page" className="mr-1 md:hidden" />}
      {chosen.length > 0 ? (
        <ChangeButton variant="primary" loading={isPending} disabled={isBlocked} onClick={askForChosen}>
          <Send aria-hidden />
          Resend selected ({chosen.length})
        </ChangeButton>
      ) : (
        isNarrowed &&
        canResendAny && (
          <ChangeButton loading={isPending} disabled={total === 0 || isOutdated || isBlocked} onClick={askForAll}>
            <Send aria-hidden />
            Resend all {formatCount(total)}
          </ChangeButton>
        )
      )}
      <LazyBoundary fallback={null} onFailure={() => setAsked(null)}>
        {asked && (
          <ResendDialog
            asked={asked}
            onClose={() => setAsked(null)}
            onTaken={() => {
              setAsked(null)
              selection.set(chosen, false)
            }}
          />
        )}
      </LazyBoundary>
    </>
  )
}
