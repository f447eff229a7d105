import { useQuery } from '@tanstack/react-query'
import type { SecurityFigures } from '#contract/security.ts'
import { serverMessage } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Counted, Figures as FiguresOf, Share } from '#web/ui/figures.tsx'
import { Stat } from '#web/ui/stats.tsx'
import { figuresQuery } from './queries.ts'

const share = (name: 'critical' | 'high' | 'unresolved') => (figures: SecurityFigures) => (
  <Share part={figures[name]} total={figures.total} none="no events yet" />
)
const resolved = ({ total, unresolved }: SecurityFigures) => <Counted count={total - unresolved} what="resolved" />

/** The four cards, exact over the whole table (SPEC section 2). */
export function Figures() {
  const query = useQuery(figuresQuery())
  return (
    <FiguresOf label="Security figures" query={query} message={serverMessage(query.error)}>
      {(show) => (
        <>
          <Stat
            name="Total Events"
            figure={show(({ total }) => formatCount(total), 'h-7 w-16')}
            comparison={show(resolved, 'h-4 w-20')}
          />
          <Stat
            name="Critical Events"
            figure={show(({ critical }) => formatCount(critical), 'h-7 w-10')}
            comparison={show(share('critical'), 'h-4 w-24')}
          />
          <Stat
            name="High Severity"
            figure={show(({ high }) => formatCount(high), 'h-7 w-10')}
            comparison={show(share('high'), 'h-4 w-24')}
          />
          <Stat
            name="Unresolved"
            figure={show(({ unresolved }) => formatCount(unresolved), 'h-7 w-12')}
            comparison={show(share('unresolved'), 'h-4 w-24')}
          />
        </>
      )}
    </FiguresOf>
  )
}
