import { useQuery } from '@tanstack/react-query'
import { Glasses } from 'lucide-react'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingLooks } from '#web/paths.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { Button } from '#web/ui/button.tsx'
import { anotherLooksQuery } from './queries.ts'

/** Narrows the list to cases that were put aside for a colleague. There while there are some, with their number. */
export function AnotherLookFilter({ isOn }: { isOn: boolean }) {
  const count = useQuery(anotherLooksQuery()).data?.total ?? 0
  if (isOn) return <FilterChip label="Another look" parameter="anotherLook" />
  if (count === 0) return null
  return (
    <Button asChild>
      <Link {...paths.kyc(waitingLooks)}>
        <Glasses aria-hidden />
        Another look
        <span className="font-regular text-quiet tabular-nums">{formatCount(count)}</span>
      </Link>
    </Button>
  )
}
