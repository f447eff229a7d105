import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Button } from '#web/ui/button.tsx'
import { Search } from 'lucide-react'
import { CandidateCard } from './candidate-card.tsx'
import { nameCandidate } from './candidate-allocations.ts'
import type { LineActions } from './use-line-actions.ts'
import type { LineWork } from './use-line-work.ts'

interface CandidatesProps {
  line: BankLine
  detail: BankLineDetail
  work: LineWork
  /** Nothing can be chosen: the operator may not apply, or another has the line. */
  isDisabled: boolean
  actions: LineActions
}

/** What the line may be for, the most likely first. */
export function Candidates({ line, detail, work, isDisabled, actions }: CandidatesProps) {
  const { candidates, chosen } = work
  const { equallyGood } = detail
  const targets = line.direction === 'credit' ? 'orders' : 'payments'
  return (
    <section aria-label="Candidates" className="mt-3">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h3>{countCandidates(candidates.length)}</h3>
        <span className="min-w-0 flex-1 text-12 text-quiet">
          {equallyGood > 1 ? (
            <b className="font-medium text-warning-ink">
              {equallyGood} {targets} fit equally.{!chosen && ' Choose one.'}
            </b>
          ) : (
            candidates.length > 0 && !chosen && <span className="max-roomy:hidden">Press a number to choose.</span>
          )}
        </span>
        <Button size="small" aria-haspopup="dialog" aria-keyshortcuts="/" disabled={isDisabled} onClick={actions.find}>
          <Search aria-hidden />
          {line.direction === 'credit' ? 'Find an Order' : 'Find a Payment'}
          <KeyHint>/</KeyHint>
        </Button>
      </div>
      {candidates.length > 0 ? (
        <ul className="overflow-hidden rounded-l border bg-card">
          {candidates.map((candidate, at) => (
            <CandidateCard
              key={nameCandidate(candidate)}
              candidate={candidate}
              line={line}
              number={at + 1}
              isExact={at === 0 && line.suggestion === 'exact' && detail.obstacle === null}
              isChosen={candidate === chosen}
              isDisabled={isDisabled}
              presses={candidate === chosen ? work.presses : 0}
              onChoose={() => actions.choose(candidate)}
              onSeen={() => work.markSeen(candidate)}
            />
          ))}
        </ul>
      ) : (
        <NoCandidate line={line} />
      )}
      {detail.obstacle !== null && chosen && (
        <p className="mt-2 text-12 text-quiet">Not applied with others: {detail.obstacle}.</p>
      )}
    </section>
  )
}

const countCandidates = (count: number) =>
  count === 0 ? 'No candidate' : count === 1 ? '1 candidate' : `${count} candidates`

const NoCandidate = ({ line }: { line: BankLine }) => (
  <p className="rounded-l border border-dashed px-4 py-5 text-13 text-quiet">
    {line.suggestion === null
      ? 'The line has just come. What it may be for is being looked up.'
      : line.direction === 'credit'
        ? 'No order fits. Find one, pay the money back, or put it aside.'
        : 'No earlier payment fits. Find one, or put the line aside with what it was for.'}
  </p>
)
