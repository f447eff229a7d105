import { useQueryClient } from '@tanstack/react-query'
import { FileInput } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { BankAccount, BankLine } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { toast } from '#web/ui/toast.ts'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { paths } from '#web/paths.ts'
import { useSearchChange } from '#web/use-search-change.ts'
import { Done } from './list/done.tsx'
import { LoadingLine, OpenLine } from './line/open-line.tsx'
import { isWholeWork, lineQuery, type WorkFilter, type WorkPlace } from './queries.ts'
import type { Decision } from './line/use-apply.ts'
import { type Batch, type DecisionStack, isBatch } from './use-decision-stack.ts'
import { useOpenLine, useOwnLineOnly } from './line/use-open-line.ts'
import { useWorkList, useWorkPlace } from './list/use-work-list.ts'
import { LoadingRows, NarrowedBy, WorkFilters, WorkRows } from './list/work-list.tsx'

const KeysDialog = lazy(() => import('./dialogs/keys-dialog.tsx'))
const UndoDialog = lazy(() => import('./dialogs/undo-dialog.tsx'))

interface DeskProps {
  accounts: BankAccount[]
  /** Undefined: the lines of all accounts. */
  account: BankAccount | undefined
  onChooseAccount: (id: string) => void
  /** Opens the list of lines that fit exactly. */
  onExact: () => void
  stack: DecisionStack
  onUndoBatch: (batch: Batch) => void
}

/** Where the lines are worked: the list of them, the oldest first, and the one that is open (product 5.13). */
export function Desk({ accounts, account, onChooseAccount, onExact, stack, onUndoBatch }: DeskProps) {
  const place = useWorkPlace(account?.id)
  const list = useWorkList(place)
  const opened = useOpenLine(list.lines, list.isPrevious)
  useOwnLineOnly(account, opened)
  const { openId } = opened
  const decisions = useDecisions(list.lines, opened, stack, onUndoBatch)
  const shown = account ? [account] : accounts
  const counts = addWork(shown)
  usePrefetchedLine(openId === undefined ? undefined : opened.findNeighbour(1))
  const isDone = list.lines?.length === 0 && !list.isPrevious && isWholeWork(place) && openId === undefined
  const next = accounts.find((each) => each.id !== account?.id && each.work.total > 0)
  const goOn = next && (() => onChooseAccount(next.id))
  const navigation = useLineNavigation(opened)
  const [isHelpOpen, setHelpOpen] = useState(false)
  useShortcuts({
    ...navigation.keys,
    e: counts.exact > 0 && onExact,
    u: decisions.undoLast,
    '?': () => setHelpOpen(true),
    Enter: isDone && goOn,
  })
  if (shown.every(({ lines }) => lines === 0)) return <NothingImported />
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] roomy:grid-cols-[20.5rem_minmax(0,1fr)] unfolded:grid-cols-[23.25rem_minmax(0,1fr)] min-[106.25rem]:grid-cols-[30rem_minmax(0,1fr)] page-scrolls:max-roomy:block">
      <section
        aria-label="Work list"
        className={cn('flex min-h-0 flex-col roomy:border-r', openId !== undefined && 'max-roomy:hidden')}
      >
        <WorkColumn {...{ list, opened, place, account, counts }} onChoose={navigation.chooseWork} />
      </section>
      <div className={cn('min-h-0 min-w-0', openId === undefined && !isDone && 'max-roomy:hidden')}>
        {openId !== undefined ? (
          <OpenLine
            key={openId}
            id={openId}
            listed={list.lines?.[opened.at]}
            takesFocus={opened.wasMoved.current}
            place={navigation.describePlace(list.total)}
            onApplied={decisions.onApplied}
            onUndo={decisions.undo}
            onSent={decisions.onSent}
          />
        ) : isDone ? (
          <Done accounts={accounts} account={account} next={next} onNext={() => goOn?.()} />
        ) : (
          list.query.isPending && <LoadingLine />
        )}
      </div>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setHelpOpen(false)}>
        {isHelpOpen && <KeysDialog onClose={() => setHelpOpen(false)} />}
        {decisions.undoing && (
          <UndoDialog decision={decisions.undoing} onClose={decisions.stopUndo} onUndone={decisions.onUndone} />
        )}
      </LazyBoundary>
    </div>
  )
}

const addWork = (accounts: readonly BankAccount[]): BankAccount['work'] => ({
  total: accounts.reduce((sum, { work }) => sum + work.total, 0),
  exact: accounts.reduce((sum, { work }) => sum + work.exact, 0),
  check: accounts.reduce((sum, { work }) => sum + work.check, 0),
  unmatched: accounts.reduce((sum, { work }) => sum + work.unmatched, 0),
})

/** Loads the line that comes next, so that it is there at once. */
function usePrefetchedLine(id: string | undefined) {
  const client = useQueryClient()
  useEffect(() => {
    if (id !== undefined) void client.prefetchQuery(lineQuery(id))
  }, [client, id])
}

type OpenLine = ReturnType<typeof useOpenLine>

/** A line that a person has to look at: it does not fit, or somebody else paid. */
const isUnclear = ({ flags, outcome }: BankLine) => flags.length > 0 || outcome !== 'exact'

/** The ways from line to line. */
function useLineNavigation(opened: OpenLine) {
  const changeSearch = useSearchChange()
  const { at, findNeighbour, open } = opened
  const go = (id: string | undefined) => id !== undefined && (() => void open(id))
  const [previous, next] = [go(findNeighbour(-1)), go(findNeighbour(1))]
  return {
    keys: { j: next, k: previous, n: go(findNeighbour(1, isUnclear)) },
    describePlace: (total: number) => ({
      position: at >= 0 ? `${formatCount(at + 1)} of ${formatCount(total)}` : '',
      onPrevious: previous || undefined,
      onNext: next || undefined,
      onBack: () => void open(undefined),
    }),
    chooseWork: (work: WorkFilter) => {
      opened.forgetMove()
      changeSearch({ work: work === 'todo' ? undefined : work, age: undefined, currency: undefined, line: undefined })
    },
  }
}

/** What this operator has decided here, to undo the last of it; after a decision the next line opens. */
function useDecisions(
  lines: readonly BankLine[] | undefined,
  opened: OpenLine,
  { last, push, remove }: DecisionStack,
  onUndoBatch: DeskProps['onUndoBatch'],
) {
  const [undoing, setUndoing] = useState<Decision | null>(null)
  usePrefetch(lines !== undefined, UndoDialog, KeysDialog)
  const openNext = () => void opened.open(opened.findNeighbour(1) ?? opened.findNeighbour(-1), { asks: false })
  const undoLast = () => {
    if (last && isBatch(last)) onUndoBatch(last)
    else if (last) setUndoing(last)
    else
      toast({ title: 'Nothing to undo', description: 'Earlier decisions are undone from the history of their line.' })
  }
  return {
    undoing,
    undoLast,
    undo: setUndoing,
    stopUndo: () => setUndoing(null),
    onApplied: (decision: Decision) => {
      push(decision)
      openNext()
    },
    onSent: openNext,
    onUndone: (lineId: string) => {
      remove(undoing?.allocations.map(({ id }) => id) ?? [])
      setUndoing(null)
      void opened.open(lineId, { asks: false })
    },
  }
}

const ScrollingList = ({ children }: { children: ReactNode }) => (
  <div className="min-h-0 flex-1 overflow-y-auto page-scrolls:max-roomy:overflow-visible">{children}</div>
)

interface WorkColumnProps extends Pick<ListBodyProps, 'list' | 'opened' | 'account'> {
  place: WorkPlace
  counts: BankAccount['work']
  onChoose: (work: WorkFilter) => void
}

/** The list with what narrows it. */
const WorkColumn = ({ place, counts, onChoose, ...rest }: WorkColumnProps) => (
  <>
    <WorkFilters counts={counts} place={place} onChoose={onChoose} />
    <NarrowedBy place={place} />
    <ScrollingList>
      <ListBody isWhole={isWholeWork(place)} onShowAll={() => onChoose('todo')} {...rest} />
    </ScrollingList>
  </>
)

interface ListBodyProps {
  list: ReturnType<typeof useWorkList>
  opened: OpenLine
  /** Nothing narrows the work. */
  isWhole: boolean
  account: BankAccount | undefined
  onShowAll: () => void
}

function ListBody({ list, opened, isWhole, account, onShowAll }: ListBodyProps) {
  const { query, lines, total, isPrevious, isLoadingMore, more } = list
  if (!lines) {
    if (!query.error) return <LoadingRows />
    return <LoadFailure size="page" what="The lines" query={query} />
  }
  if (lines.length === 0 && !isPrevious)
    return (
      <EmptyState title={isWhole ? 'Nothing left to do' : 'No line here'}>
        {isWhole ? (
          'New lines appear here with the next statement.'
        ) : (
          <Button size="small" onClick={onShowAll} className="mt-2">
            Show All to Do
          </Button>
        )}
      </EmptyState>
    )
  return (
    <>
      <RefreshFailure what="The lines" query={query} className="m-3" />
      <WorkRows
        {...{ lines, total, isLoadingMore }}
        openId={opened.openId}
        hasAccounts={!account}
        buildAddress={buildLineAddress}
        onOpen={(id) => void opened.open(id)}
        onMore={more}
        isDimmed={isPrevious}
      />
    </>
  )
}

/** The address of the same list with a line open. */
function buildLineAddress(line: string): string {
  const search = new URLSearchParams(window.location.search)
  search.set('line', line)
  return `${paths.bank().to}?${search}`
}

const NothingImported = () => (
  <div className="grid h-full content-center">
    <EmptyState icon={FileInput} title="No statement was imported yet">
      A statement is the bank’s list of what came in and went out. Import its file, or drop it anywhere on this page:
      each line then appears here with the order that it pays.
    </EmptyState>
  </div>
)
