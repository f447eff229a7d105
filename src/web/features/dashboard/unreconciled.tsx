import { useQuery } from '@tanstack/react-query'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { CurrencySums } from './currency-sums.tsx'
import { figuresQuery } from './queries.ts'

/** Money that came in on the bank accounts and has no purpose yet, by currency (product 5.2). Absent without accounts. */
export function Unreconciled({ look }: { look: string }) {
  // What failed is tried again by the cards that say so, and not because this part came late.
  const sums = useQuery({ ...figuresQuery(), retryOnMount: false }).data?.unreconciled
  if (!sums?.length) return null
  const open = sums.filter(({ lines }) => lines > 0)
  return (
    <li className="min-w-0 md:ml-auto">
      <Link {...paths.bank()} className={`${look} flex flex-wrap gap-x-2`}>
        Unreconciled
        <span className="font-medium text-ink tabular-nums">
          {open.length > 0 ? <CurrencySums sums={open} most={3} /> : 'nothing'}
        </span>
      </Link>
    </li>
  )
}
