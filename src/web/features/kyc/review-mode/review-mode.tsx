import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { describeError } from '#web/api.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { formatCount } from '#web/lib/money.ts'
import { waitingCasesQuery } from '#web/reviews/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, Spinner } from '#web/ui/spinner.tsx'
import { useSearchChange } from '#web/use-search-change.ts'
import { useWideWork } from '#web/use-wide-work.ts'
import { CloseButton } from './case-bar.tsx'
import { OpenCase } from './open-case.tsx'
import { useFormKeys } from './use-form-keys.ts'
import { isFinalRefusal, useCaseClaim } from './use-case-claim.ts'

/** Moves the focus to the list that replaces review mode. */
const focusMain = () =>
  queueMicrotask(() => {
    if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
  })

/**
 * Review mode: the longest waiting case with its documents and data, decided by keyboard. The next case opens by
 * itself. `review` is a verification's id or `next`.
 */
export default function ReviewMode({ review }: { review: string }) {
  const changeSearch = useSearchChange()
  const caseClaim = useCaseClaim(review)
  const { claimed, failure, isOpening, openNext, retry } = caseClaim
  useWideWork()
  useEffect(() => focusMain, [])
  // Returns to the list with its tab, search, filter and page, which are still in the address.
  const close = () => changeSearch({ review: undefined }, { replace: true })
  if (claimed)
    return <OpenCase key={claimed.reviewed.verification.id} claimed={claimed} caseClaim={caseClaim} onClose={close} />
  if (isOpening) return <OpeningCase onClose={close} />
  if (failure) {
    const isFinal = isFinalRefusal(failure)
    return (
      <CasePlaceholder onClose={close}>
        <ErrorState
          size="page"
          title="The case could not be opened"
          message={describeError(failure)}
          onRetry={isFinal ? openNext : retry}
          retryLabel={isFinal ? 'Open the Next Case' : 'Try Again'}
        />
      </CasePlaceholder>
    )
  }
  return <EmptyQueue onClose={close} onNext={openNext} />
}

/** Shown in place of a case, with the close button. */
function CasePlaceholder({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const container = useRef<HTMLElement>(null)
  useFormKeys(container, { onEscape: onClose, onConfirm: undefined })
  return (
    <section ref={container} aria-label="KYC review" className="flex min-h-full flex-col">
      <div className="gutter flex min-h-12 items-center justify-end border-b py-1.5">
        <CloseButton onClose={onClose} />
      </div>
      <div className="grid flex-1 place-content-center">{children}</div>
    </section>
  )
}

function EmptyQueue({ onClose, onNext }: { onClose: () => void; onNext: () => void }) {
  const waiting = useQuery(waitingCasesQuery()).data?.total ?? 0
  return (
    <CasePlaceholder onClose={onClose}>
      <div className="flex flex-col items-center px-6 py-10 text-center">
        <span className="mb-4 grid size-12 place-items-center rounded-full bg-success-soft text-success-ink">
          <CircleCheck aria-hidden className="size-6" />
        </span>
        <h2 ref={moveFocus} tabIndex={-1} className="text-20! outline-none">
          All caught up
        </h2>
        <output className="mt-1 block max-w-110 text-quiet">
          {waiting === 0
            ? 'No KYC case needs a decision. The next attempt appears here as soon as a member submits it.'
            : `${formatCount(waiting)} waiting, in the hands of other operators just now, or put aside by you for another look.`}
        </output>
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {waiting > 0 && (
            <Button variant="primary" onClick={onNext}>
              Look for the Next Case
            </Button>
          )}
          <Button onClick={onClose}>Back to KYC Management</Button>
        </div>
      </div>
    </CasePlaceholder>
  )
}

/** Has the layout of a case, so that nothing moves when it loads. */
function OpeningCase({ onClose }: { onClose: () => void }) {
  const container = useRef<HTMLElement>(null)
  useFormKeys(container, { onEscape: onClose, onConfirm: undefined })
  return (
    <section
      ref={container}
      aria-label="KYC review"
      aria-busy="true"
      className="flex min-h-full flex-col roomy:grid roomy:h-full roomy:grid-cols-[minmax(0,1fr)_348px] roomy:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_384px]"
    >
      <output className="sr-only">Loading...</output>
      <div className="gutter flex min-h-12 items-center gap-3 border-b py-1.5 roomy:col-span-2">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mr-auto h-5 w-24 rounded-full" />
        <CloseButton onClose={onClose} />
      </div>
      <div className="min-h-80 bg-canvas p-6 pt-14">
        <div className="grid h-full min-h-60 place-content-center rounded-l border text-quiet">
          <Spinner className="size-5" />
        </div>
      </div>
      <div className="space-y-4 px-5 py-5 roomy:border-l">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="flex gap-6">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-4 w-36" />
          </div>
        ))}
      </div>
    </section>
  )
}
