import { Stat, Stats } from '#web/ui/stats.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'

const cards = ['User ID', 'Wallets', 'Blockchain Transactions', 'KYC Progress']

/** Has the member's layout, so that nothing moves when the data loads. */
export function UserSkeleton() {
  return (
    <div>
      <output className="sr-only">Loading...</output>
      <div aria-hidden>
        <div className="mb-5 flex items-center gap-4 max-md:flex-wrap max-md:gap-3">
          <Skeleton className="size-11 shrink-0 rounded-full!" />
          <div className="min-w-0 flex-1">
            <Skeleton className="h-6 w-60 max-w-full" />
            <Skeleton className="mt-1 h-4 w-48 max-w-full" />
          </div>
          <Skeleton className="h-(--control) w-52 max-w-full rounded-m!" />
        </div>
        <Stats label="Summary">
          {cards.map((name) => (
            <Stat key={name} name={name} small figure={<Skeleton className="h-6 w-24" />} />
          ))}
        </Stats>
        <div className="mt-6 mb-5 h-[39px] border-b max-md:h-[41px]" />
        <div className="max-w-150 space-y-4">
          {['w-56', 'w-48', 'w-64', 'w-40', 'w-52', 'w-44'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      </div>
    </div>
  )
}
