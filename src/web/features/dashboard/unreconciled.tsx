import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { figuresQuery } from './queries.ts'

/** The most currencies that are named. */
const mostSums = 3

/** Money that came in on the bank accounts and has no purpose yet, by currency (product 5.2). Absent without accounts. */
export default function Unreconciled({ look }: { look: string }) {
  // What failed is tried again by the cards that say so, and not because this part came late.
  const sums = useQuery({ ...figuresQuery(), retryOnMount: false }).data?.unreconciled
  if (!sums?.length) return null
  const open = sums.filter(({ lines }) => lines > 0)
  return (
    <li>
      <Link {...paths.bank()} className={cn(look, 'flex-wrap py-2')}>
        <Scale aria-hidden />
        Unreconciled
        <span className="ml-auto pl-2 text-right text-12 font-regular text-quiet tabular-nums">
          {open.slice(0, mostSums).map(({ currency, amount }) => (
            <span key={currency} className="block whitespace-nowrap">
              {formatDecimal(amount, 2)} {currency}
            </span>
          ))}
          {open.length > mostSums && <span className="block">+ {open.length - mostSums} more</span>}
          {open.length === 0 && 'nothing'}
        </span>
      </Link>
    </li>
  )
}
