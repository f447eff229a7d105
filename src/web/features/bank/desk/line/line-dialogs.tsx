import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import type { Apply } from './use-apply.ts'
import type { LineWork } from './use-line-work.ts'

const FindOrderDialog = lazy(() => import('#web/features/bank/desk/dialogs/find-order-dialog.tsx'))
const FindPaymentDialog = lazy(() => import('#web/features/bank/desk/dialogs/find-payment-dialog.tsx'))
const RefundDialog = lazy(() => import('#web/features/bank/desk/dialogs/refund-dialog.tsx'))
const WriteOffDialog = lazy(() => import('#web/features/bank/desk/dialogs/write-off-dialog.tsx'))

export type LineDialog = 'find' | 'refund' | 'writeOff'

interface LineDialogsProps {
  dialog: LineDialog | null
  line: BankLine
  work: LineWork
  apply: Apply
  /** Without an id where the candidate is an earlier payment or transfer. */
  onFound: (candidate: Candidate) => void
  onClose: () => void
}

/** The dialogs of an open line. */
export function LineDialogs({ dialog, line, work, apply, onFound, onClose }: LineDialogsProps) {
  usePrefetch(true, line.direction === 'credit' ? FindOrderDialog : FindPaymentDialog, RefundDialog, WriteOffDialog)
  const { open, candidates, chosen, suggestedCause } = work
  return (
    <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={onClose}>
      {dialog === 'find' &&
        (line.direction === 'credit' ? (
          <FindOrderDialog {...{ line, open, onFound, onClose }} />
        ) : (
          <FindPaymentDialog lineId={line.id} {...{ onFound, onClose }} />
        ))}
      {dialog === 'refund' && <RefundDialog {...{ line, open, candidates, chosen, suggestedCause, apply, onClose }} />}
      {dialog === 'writeOff' && <WriteOffDialog {...{ line, open, apply, onClose }} />}
    </LazyBoundary>
  )
}
