import { useState } from 'react'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import type { BankAllocation, BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { OpenApprovals } from '#web/approvals/approval-note.tsx'
import { formatAmount } from '#web/bank/amounts.ts'
import { nameUnknown } from '#web/bank/words.ts'
import { calculateOpen, isWork } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { History } from '#web/features/bank/desk/line/history.tsx'
import { LineBadges } from '#web/features/bank/desk/line/line-head.tsx'
import { LineNotes } from '#web/features/bank/desk/line/line-notes.tsx'
import { PaymentText } from '#web/features/bank/desk/line/payment-text.tsx'
import { lineQuery } from '#web/features/bank/desk/queries.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { ActionBar, Lines } from './member-actions.tsx'
import { PeekedRecord } from './peeked-record.tsx'

const UndoDialog = lazy(() => import('#web/features/bank/desk/dialogs/undo-dialog.tsx'))

/** A line of the bank as its desk shows it, without its candidates: it is decided there. */
export const BankLinePanel = ({ id }: { id: string }) => (
  <PeekedRecord
    target={{ kind: 'bankLine', id }}
    permission="bank.view"
    query={lineQuery(id)}
    version={version}
    name={({ line }) => `${formatAmount(line.amount)} ${line.currency}`}
    idOf={({ line }) => line.id}
    Actions={LineActions}
    Summary={Summary}
  />
)

/** Its one button leads to the desk, whatever has changed. */
const version = () => ''

function Summary({ peek: { line, found, allocations, notes } }: { peek: BankLineDetail }) {
  const { amount, currency, direction, payer, bookedOn } = line
  const mayUndo = useCan('bank.apply')
  const [undoing, setUndoing] = useState<BankAllocation | null>(null)
  return (
    <>
      <h2 className="text-28! font-semibold tracking-[-0.028em]! tabular-nums">
        {direction === 'debit' && '−'}
        {formatAmount(amount)} <span className="text-16 font-regular tracking-normal text-quiet">{currency}</span>
      </h2>
      <p className="mt-0.5 mb-3 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-13 text-quiet">
        {direction === 'credit' ? 'from' : 'to'}{' '}
        <bdi className="min-w-0 font-semibold wrap-anywhere text-ink">
          {payer.name ??
            (payer.account === null ? nameUnknown(line).toLowerCase() : formatAccountNumber(payer.account))}
        </bdi>
        · {bookedOn ? `booked ${formatDay(bookedOn)}` : 'not booked'}
        <LineBadges line={line} />
      </p>
      <OpenApprovals type="bank_line" id={line.id} />
      <PaymentText line={line} found={found} />
      <LineNotes id={line.id} notes={notes} />
      <History line={line} allocations={allocations} onUndo={mayUndo ? setUndoing : undefined} />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setUndoing(null)}>
        {undoing && (
          <UndoDialog
            decision={{ lineId: line.id, allocations: [undoing] }}
            onClose={() => setUndoing(null)}
            onUndone={() => setUndoing(null)}
          />
        )}
      </LazyBoundary>
    </>
  )
}

/** For which orders it may be. */
const describeCandidate = (candidate: Candidate) =>
  candidate.kind === 'return'
    ? 'May return a transfer'
    : `May be for ${candidate.orders.map(({ orderNumber }) => orderNumber).join(', ')}`

/** What of it has no purpose yet, with the way to where it gets one. */
function LineActions({ peek: { line, candidates, equallyGood } }: { peek: BankLineDetail }) {
  const candidate = equallyGood < 2 && candidates[0]
  const mayApply = useCan('bank.apply')
  if (!isWork(line))
    return <ActionBar reason={<span className="text-quiet">Nothing of it is open</span>}>{null}</ActionBar>
  return (
    <ActionBar
      reason={
        <Lines
          what={`${formatAmount(calculateOpen(line))} ${line.currency} of it open`}
          more={candidate && describeCandidate(candidate)}
        />
      }
    >
      {mayApply && (
        <Button asChild variant="primary">
          <Link {...paths.bank({ line: line.id })}>
            Decide
            <KeyHint onAccent>↵</KeyHint>
          </Link>
        </Button>
      )}
    </ActionBar>
  )
}
