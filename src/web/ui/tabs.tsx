import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'

export interface Tab<Value extends string> {
  value: Value
  label: string
  count?: number
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
  /** Before the tabs: what the whole page is about. */
  start?: ReactNode
  /** At the right of the strip: buttons. */
  end?: ReactNode
  className?: string
}

/** Tabs whose state the caller holds (the address bar). Arrows, Home and End move and select; one panel is rendered. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  fill = false,
  start,
  end,
  className,
}: TabsProps<Value>) {
  const id = useId()
  const current = tabs.find((tab) => tab.value === value) ?? tabs[0]
  return (
    <div
      className={cn(
        fill &&
          'grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] page-scrolls:block print:block',
        className,
      )}
    >
      <div
        className={cn(
          'gutter border-b print:border-0',
          !fill && '-mx-(--gutter) mb-5',
          (start ?? end) && 'flex items-center gap-x-4 gap-y-2 max-md:flex-wrap',
          start && 'md:h-12 max-md:pt-2',
        )}
      >
        {start}
        <TabStrip {...{ id, label, tabs, onChange }} isLast={start !== undefined} selected={current?.value} />
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

interface TabStripProps<Value extends string> extends Pick<TabsProps<Value>, 'label' | 'tabs' | 'onChange'> {
  /** The ids of the tabs and the panel begin with it. */
  id: string
  selected: Value | undefined
  /** On a phone it has the last row. */
  isLast: boolean
}

function TabStrip<Value extends string>({ id, label, tabs, isLast, selected, onChange }: TabStripProps<Value>) {
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

  return (
    // A little wider than the line below, so that the focus ring of the first tab is whole.
    <div
      ref={strip}
      role="tablist"
      aria-label={label}
      className={cn(
        'relative -mx-1.5 -mb-px flex min-w-0 gap-5 self-end px-1.5 max-md:grow',
        'overflow-x-auto overflow-y-hidden data-overflows:fade-ends',
        isLast && 'max-md:order-last max-md:w-full md:self-stretch md:*:h-full',
      )}
    >
      {tabs.map((tab) => (
        <TabButton key={tab.value} {...{ id, tab, onChange }} isCurrent={tab.value === selected} onKeyDown={move} />
      ))}
    </div>
  )
}

interface TabButtonProps<Value extends string> extends Pick<TabStripProps<Value>, 'id' | 'onChange'> {
  tab: Tab<Value>
  isCurrent: boolean
  onKeyDown: (event: KeyboardEvent) => void
}

const TabButton = <Value extends string>({ id, tab, isCurrent, onChange, onKeyDown }: TabButtonProps<Value>) => (
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
      'group h-9.5 shrink-0 border-b-2 text-13 font-medium whitespace-nowrap outline-none! max-md:h-10',
      'transition-colors',
      isCurrent ? 'border-accent text-ink' : 'border-transparent text-quiet hover:text-ink print:hidden',
    )}
  >
    <span className="rounded-s outline-offset-3 outline-focus group-focus-visible:outline-2">
      {tab.label}
      {tab.count !== undefined && (
        <span className="ml-1.5 text-12 font-regular text-quiet tabular-nums">{formatCount(tab.count)}</span>
      )}
    </span>
  </button>
)

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
