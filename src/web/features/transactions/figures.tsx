import { useQuery } from '@tanstack/react-query'
import type { TransactionFigures } from '#contract/schemas/transactions.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { CountText, Figures as FiguresOf, Share } from '#web/ui/figures.tsx'
import { Stat } from '#web/ui/stats.tsx'
import { figuresQuery } from './queries.ts'
import { LargestVolume, OtherVolumes } from './volumes.tsx'

const renderShare = (name: 'completed' | 'pending') => (figures: TransactionFigures) => (
  <Share part={figures[name]} total={figures.total} none="none yet" />
)
const renderFailures = ({ failed }: TransactionFigures) => <CountText count={failed} what="failed" />
const renderLargestVolume = (figures: TransactionFigures) => <LargestVolume figures={figures} />
const renderOtherVolumes = (figures: TransactionFigures) => <OtherVolumes figures={figures} />

/** The four cards, exact over the whole table (product 5.8, 12.4). */
export function Figures() {
  const query = useQuery(figuresQuery())
  return (
    <FiguresOf label="Transaction figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <Stat
            name="Total Transactions"
            link={<Link {...paths.transactions()} />}
            figure={show(({ total }) => formatCount(total), 'h-7 w-20')}
            comparison={show(renderFailures, 'h-4 w-20')}
          />
          <Stat
            name="Completed"
            link={<Link {...paths.transactions({ status: 'completed' })} />}
            figure={show(({ completed }) => formatCount(completed), 'h-7 w-20')}
            comparison={show(renderShare('completed'), 'h-4 w-24')}
          />
          <Stat
            name="Pending"
            link={<Link {...paths.transactions({ status: 'pending' })} />}
            figure={show(({ pending }) => formatCount(pending), 'h-7 w-16')}
            comparison={show(renderShare('pending'), 'h-4 w-24')}
          />
          <Stat
            name="Total Volume"
            small
            figure={show(renderLargestVolume, 'h-7 w-28')}
            comparison={show(renderOtherVolumes, 'h-4 w-28')}
          />
        </>
      )}
    </FiguresOf>
  )
}
