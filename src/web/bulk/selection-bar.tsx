import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { type BulkAction, mostBulkIds, readBulkDesign } from '#contract/bulk.ts'
import type { ChosenExport } from '#contract/exports.ts'
import type { PrepareBulk } from '#contract/schemas/bulk.ts'
import { addAmounts } from '#web/bank/amounts.ts'
import { formatCount } from '#web/lib/money.ts'
import { ExportButton, ExportChosenButton } from '#web/table/export-button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { LazyBoundary, lazy } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { PageBox } from './select-column.tsx'
import {
  formatSums,
  type Money,
  type SelectableRow,
  type Selection,
  selectionBarHeight,
  useChosen,
} from './selection.ts'

const ActionButtons = ({ actions, onAsk }: { actions: readonly BulkAction[]; onAsk: (action: BulkAction) => void }) =>
  actions.map((action) => {
    const { button, isDanger } = readBulkDesign(action)
    return (
      <ChangeButton
        key={action}
        size="small"
        aria-haspopup="dialog"
        variant={isDanger ? 'danger' : 'default'}
        onClick={() => onAsk(action)}
      >
        {button}…
      </ChangeButton>
    )
  })

/** Exactly, in each currency: amounts are decimal text. */
function sumByCurrency(rows: readonly SelectableRow[]): Money[] {
  const money = rows.flatMap((row) => row.money ?? [])
  const amounts = Map.groupBy(money, ({ currency }) => currency)
  return [...amounts].map(([currency, each]) => ({ currency, amount: addAmounts(...each.map(({ amount }) => amount)) }))
}

/** Tells how high the bar stands, for what lies above it. */
function noteHeight(bar: HTMLElement | null) {
  if (!bar) return
  const observer = new ResizeObserver(() => selectionBarHeight.set(bar.offsetHeight + 4))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    selectionBarHeight.set(0)
  }
}

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

interface SelectionBarProps {
  selection: Selection
  actions: readonly BulkAction[]
  exportName: ChosenExport | undefined
  filter: Record<string, string | undefined>
  total: number | undefined
}

/** What is chosen, and what can be done with it. It stands above the foot of the list while something is chosen. */
export default function SelectionBar({ selection, actions, exportName, filter, total }: SelectionBarProps) {
  const chosen = useChosen(selection)
  const [asked, setAsked] = useState<PrepareBulk | null>(null)
  usePrefetch(true, BulkDialog)
  const controls = useRef<HTMLDivElement>(null)
  useShortcuts({ '.': () => controls.current?.querySelector('button')?.focus() })
  const count = chosen.isAll ? total : chosen.rows.size
  const words = count === undefined ? 'All that match are selected' : `${formatCount(count)} selected`
  const canWiden = !chosen.isAll && total !== undefined && total > chosen.rows.size
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  const ids = [...chosen.rows.keys()]
  const ask = (action: BulkAction) =>
    setAsked(chosen.isAll ? { action, filter: Object.fromEntries(given) } : { action, ids })
  const sums = sumByCurrency([...chosen.rows.values()])
  return (
    <div
      ref={controls}
      className="pointer-events-none fixed inset-x-0 bottom-15 z-10 flex justify-center px-3 max-md:bottom-3 print:hidden"
    >
      <section
        ref={noteHeight}
        aria-label="Selection"
        className="pointer-events-auto flex max-w-full animate-rise flex-wrap items-center gap-2 rounded-l border bg-raised py-2 pr-2 pl-4 text-13 text-ink shadow-dialog max-md:w-full max-md:pl-3"
      >
        <output className="mr-1 tabular-nums">
          <b className="font-medium">{words}</b>
          {sums.length > 0 && <span className="text-quiet"> · {formatSums(sums)}</span>}
        </output>
        {!chosen.isAll && chosen.rows.size >= mostBulkIds && (
          <span className="text-quiet">At most {formatCount(mostBulkIds)} one by one.</span>
        )}
        <PageBox text="Page" className="mr-1 md:hidden" />
        {canWiden && (
          <button
            type="button"
            onClick={() => selection.chooseAll()}
            className="rounded-s link-reference tabular-nums max-md:min-h-8"
          >
            Select all {formatCount(total)} that match
          </button>
        )}
        <div className="flex flex-wrap items-center gap-2 max-md:w-full">
          <ActionButtons actions={actions} onAsk={ask} />
          {exportName &&
            (chosen.isAll ? (
              <ExportButton name={exportName} query={filter} label="Export" size="small" />
            ) : (
              <ExportChosenButton name={exportName} ids={ids} />
            ))}
          <IconButton label="Clear selection (Esc)" onClick={() => selection.clear()} className="max-md:ml-auto">
            <X aria-hidden />
          </IconButton>
        </div>
      </section>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setAsked(null)}>
        {asked && <BulkDialog asked={asked} onClose={() => setAsked(null)} onStarted={() => selection.clear()} />}
      </LazyBoundary>
    </div>
  )
}
