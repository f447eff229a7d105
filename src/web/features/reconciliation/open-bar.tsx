import { useQuery } from '@tanstack/react-query'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { formatCount } from '#web/lib/money.ts'
import { settledLinesQuery } from './queries.ts'

/** How many lines of an account are open, and how many are settled. */
export function OpenBar({ account: { id, open } }: { account: BankAccount }) {
  const settled = useQuery(settledLinesQuery(id)).data?.total ?? 0
  return (
    <div className="min-w-56 flex-1 max-md:basis-full">
      <span aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-s">
        {settled > 0 && <span style={{ flexGrow: settled }} className="keep-colour bg-success-solid" />}
        {open.count > 0 && <span style={{ flexGrow: open.count }} className="keep-colour bg-accent" />}
      </span>
      <span className="mt-1.5 flex flex-wrap gap-x-4 text-12 tabular-nums">
        <Legend name="Settled" colour="bg-success-solid" count={settled} />
        <Legend name="Open" colour="bg-accent" count={open.count} />
      </span>
    </div>
  )
}

const Legend = ({ name, colour, count }: { name: string; colour: string; count: number }) => (
  <span className="inline-flex items-center gap-1.5 text-quiet">
    <span aria-hidden className={`keep-colour size-2 rounded-[2px] ${colour}`} />
    {name} <b className="font-medium text-ink">{formatCount(count)}</b>
  </span>
)
