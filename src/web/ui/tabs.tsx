import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { IconButton } from './icon-button.tsx'

export interface Tab<Value extends string> {
  value: Value
  label: string
  count?: number
  /** What is counted: "open". */
  countOf?: string
  panel: ReactNode
}

interface TabsProps<Value extends string> {
  /** What the tabs are parts of. */
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** The tabs fill the page: their strip has the page's gutter, the panel the rest of the window. */
  fill?: boolean
  /** At the right of the strip: buttons. */
  end?: ReactNode
  /** The tabs choose what the whole page is about: they look like buttons. */
  pills?: boolean
  className?: string
}

/** Tabs whose state the caller holds (the address bar). Arrows, Home and End move and select; one panel is rendered. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  fill = false,
  end,
  pills = false,
  className,
}: TabsProps<Value>) {
  const id = useId()
  const current = tabs.find((tab) => tab.value === value) ?? tabs[0]
  return (
    <div
      className={cn(
        fill &&
          'grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] page-scrolls:block print:block',
        fill && !pills && 'pt-2',
        className,
      )}
    >
      <div
        className={cn(
          'border-b print:border-0',
          fill ? 'gutter' : 'mb-5',
          end && 'flex items-center gap-x-4 gap-y-2 max-md:flex-wrap',
          pills && 'py-2',
        )}
      >
        <TabStrip {...{ id, label, tabs, pills, onChange }} selected={current?.value} />
        {end}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current?.value}`}
        tabIndex={0}
        // A page may hide the strip, and the panel keeps its row.
        className={cn('rounded-s', fill && 'row-start-2 min-h-0')}
      >
        {current?.panel}
      </div>
    </div>
  )
}

interface TabStripProps<Value extends string> extends Pick<TabsProps<Value>, 'label' | 'tabs' | 'pills' | 'onChange'> {
  /** The ids of the tabs and the panel begin with it. */
  id: string
  selected: Value | undefined
}

function TabStrip<Value extends string>({ id, label, tabs, pills, selected, onChange }: TabStripProps<Value>) {
  const strip = useRef<HTMLDivElement>(null)
  useScrollToSelected(strip, selected)
  useOverflowMark(strip)

  function move(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.value === selected)
    const targets: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const target = targets[event.key]
    const next = target === undefined ? undefined : tabs.at(target % tabs.length)
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    findTab(strip, next.value)?.focus({ preventScroll: true })
  }

  const list = (
    // A little wider than the line below, so that the focus ring of the first tab is whole.
    <div
      ref={strip}
      role="tablist"
      aria-label={label}
      className={cn(
        'relative flex min-w-0 overflow-x-auto overflow-y-hidden data-overflows:fade-ends',
        pills ? 'peer -ml-3 flex-1 gap-1 p-1 motion-safe:scroll-smooth narrowest:ml-0' : '-mx-1.5 -mb-px gap-5 px-1.5',
      )}
    >
      {tabs.map((tab) => (
        <TabButton
          key={tab.value}
          {...{ id, tab, pills, onChange }}
          isCurrent={tab.value === selected}
          onKeyDown={move}
        />
      ))}
    </div>
  )
  return pills ? <ScrollingStrip {...{ strip, label, list }} /> : list
}

interface TabButtonProps<Value extends string> extends Pick<TabStripProps<Value>, 'id' | 'pills' | 'onChange'> {
  tab: Tab<Value>
  isCurrent: boolean
  onKeyDown: (event: KeyboardEvent) => void
}

const TabButton = <Value extends string>({ id, tab, pills, isCurrent, onChange, onKeyDown }: TabButtonProps<Value>) => (
  <button
    type="button"
    role="tab"
    id={`${id}-${tab.value}`}
    data-tab={tab.value}
    aria-selected={isCurrent}
    aria-controls={isCurrent ? `${id}-panel` : undefined}
    tabIndex={isCurrent ? 0 : -1}
    onClick={() => onChange(tab.value)}
    onKeyDown={onKeyDown}
    className={cn(
      'group shrink-0 text-13 font-medium whitespace-nowrap transition-colors max-md:h-10',
      pills ? 'h-8 rounded-m px-3' : 'h-9.5 border-b-2 outline-none!',
      isCurrent ? 'border-accent text-ink' : 'border-transparent text-quiet hover:text-ink print:hidden',
      pills && (isCurrent ? 'bg-selected' : 'hover:bg-hover'),
    )}
  >
    <TabName {...tab} isPill={pills === true} />
  </button>
)

interface ScrollingStripProps {
  strip: Strip
  label: string
  list: ReactNode
}

/** Tabs that people add, so that there may be many: while some are out of sight, two buttons lead to them. Keys move without them. */
function ScrollingStrip({ strip, label, list }: ScrollingStripProps) {
  const scroll = (pages: number) => strip.current?.scrollBy({ left: strip.current.clientWidth * pages })
  const shown = 'hidden! peer-data-overflows:inline-grid! print:hidden!'
  return (
    <div className="flex min-w-0 flex-1 items-center max-md:basis-full">
      {list}
      <IconButton tabIndex={-1} label={`${label}: scroll left`} onClick={() => scroll(-0.75)} className={shown}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton tabIndex={-1} label={`${label}: scroll right`} onClick={() => scroll(0.75)} className={shown}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  )
}

interface TabNameProps extends Pick<Tab<string>, 'label' | 'count' | 'countOf'> {
  isPill: boolean
}

/** The name in a pill is chosen by people, so it may be long and of any script. */
function TabName({ label, count, countOf, isPill }: TabNameProps) {
  return (
    <span className={isPill ? '' : 'rounded-s outline-offset-3 outline-focus group-focus-visible:outline-2'}>
      {isPill ? (
        <bdi title={label} className="inline-block max-w-48 truncate align-bottom">
          {label}
        </bdi>
      ) : (
        label
      )}
      {count !== undefined && (
        <span className="ml-1.5 text-12 font-regular text-quiet tabular-nums">
          {formatCount(count)}
          {countOf && ` ${countOf}`}
        </span>
      )}
    </span>
  )
}

type Strip = RefObject<HTMLElement | null>

const findTab = (strip: Strip, value: string | undefined) =>
  strip.current?.querySelector<HTMLElement>(`[data-tab="${value}"]`)

/** Scrolls the strip alone, now and when its width changes. `scrollIntoView` would scroll the page too. */
function useScrollToSelected(strip: Strip, selected: string | undefined) {
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const tab = findTab(strip, selected)
      if (tab) element.scrollTo({ left: tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2 })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [strip, selected])
}

/** Marks a strip that scrolls. Its fade would stay when it no longer does, so the mark is then removed. */
export function useOverflowMark(strip: Strip) {
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    const observer = new ResizeObserver(() =>
      element.toggleAttribute('data-overflows', element.scrollWidth > element.clientWidth),
    )
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  })
}
