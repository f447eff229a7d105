import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'

interface PagerProps {
  /** The requested page, or the shown one where the requested page failed to load. */
  page: number
  /** The page of the shown rows. While the next page loads it is the previous one. */
  shownPage: number
  limit: number
  /** Rows on this page. */
  shown: number
  total: number
  /** False while the server still counts: `total` is then only a lower bound. */
  isExact: boolean
  isReady: boolean
  onPage: (page: number) => void
}

/** The footer of a list (product 4.1): "Showing X to Y of Z entries", Previous and Next, "Page N of M". */
export function Pager({ page, shownPage, limit, shown, total, isExact, isReady, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit))
  const first = shown === 0 ? 0 : (shownPage - 1) * limit + 1
  const last = shown === 0 ? 0 : first + shown - 1
  const whole = isExact ? formatCount(total) : 'more than 1,000'
  const hasNext = isExact ? page < pages : shown === limit
  return (
    <div className="border-t print:border-0">
      <div className="gutter flex min-h-13 max-w-table items-center md:h-13 md:contain-strict gap-2 text-13 text-quiet tabular-nums max-md:flex-wrap max-md:gap-y-1.5 max-md:py-2">
        <p aria-live="polite" className="mr-auto max-md:w-full">
          {isReady && `Showing ${formatCount(first)} to ${formatCount(last)} of ${whole} entries`}
        </p>
        <p className="max-md:mr-auto">
          Page {formatCount(page)}
          {isReady && ` of ${isExact ? '' : 'more than '}${formatCount(pages)}`}
        </p>
        <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden />
          Previous
        </Button>
        <Button size="small" disabled={!isReady || !hasNext} onClick={() => onPage(page + 1)}>
          Next
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  )
}
