import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { waitingCasesQuery } from '#web/reviews/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { linkToReview } from './review-link.ts'

/** Opens review mode on the case that has waited longest. */
export function StartReview({ className }: { className?: string }) {
  const waiting = useQuery(waitingCasesQuery()).data?.total
  return (
    <Button asChild variant={waiting === 0 ? 'default' : 'primary'} className={className ?? ''}>
      <Link {...linkToReview('next')}>
        <Play aria-hidden />
        Start review
        {waiting !== undefined && (
          <span className="font-regular tabular-nums">{waiting > 0 ? formatCount(waiting) : 'none'} waiting</span>
        )}
      </Link>
    </Button>
  )
}
