import { cloneElement, useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { ErrorState } from './error-state.tsx'
import type { FiguresProps } from './figures.tsx'
import { Skeleton } from './spinner.tsx'
import type { StatProps } from './stats.tsx'
import { useOverflowMark } from './tabs.tsx'

/** The figures of a list, in a strip that leaves the room to its rows; on a phone it scrolls sideways. */
export function FigureStrip<Data>({ label, query, message, children }: FiguresProps<Data>) {
  const { data, isError, isFetching, refetch } = query
  const hasFailed = data === undefined && isError
  const strip = useRef<HTMLElement>(null)
  useOverflowMark(strip)
  return (
    <section
      ref={strip}
      aria-label={label}
      className={cn(
        'flex h-13.5 overflow-x-auto border-b bg-canvas data-overflows:fade-ends',
        hasFailed ? 'max-md:h-auto' : 'max-md:h-18',
      )}
    >
      {hasFailed ? (
        <ErrorState
          size="row"
          title="The figures could not be loaded"
          message={message}
          onRetry={() => void refetch()}
          retrying={isFetching}
          className="gutter text-13 max-md:py-2"
        />
      ) : (
        children((part, skeleton) => (data === undefined ? <Skeleton className={skeleton} /> : part(data)))
      )}
    </section>
  )
}

/** The figure under its name, with what it compares with beside that. */
export function StripFigure({ name, figure, comparison, link }: StatProps) {
  const className = cn(
    'grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)] grid-rows-[1rem_minmax(1.5rem,auto)] content-center gap-x-2',
    'gap-y-1 border-l px-4 text-12 text-quiet tabular-nums first:border-l-0 first:pl-(--gutter) last:pr-(--gutter)',
    'max-md:w-64 max-md:flex-none',
    link && 'transition-colors -outline-offset-2! hover:bg-hover',
  )
  const content = (
    <>
      <span title={name} className="truncate">
        {name}
      </span>
      <span className="col-span-2 row-start-2 flex min-w-0 items-center text-20 font-[560] text-ink">{figure}</span>
      <span
        className={cn(
          'col-start-2 row-start-1 overflow-x-clip text-right text-ellipsis whitespace-nowrap',
          'max-md:text-left [&_b]:font-medium [&_b]:text-ink',
        )}
      >
        {comparison}
      </span>
    </>
  )
  return link ? cloneElement(link, { className, children: content }) : <div className={className}>{content}</div>
}
