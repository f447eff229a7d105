import { useQuery } from '@tanstack/react-query'
import type { SecurityFigures } from '#contract/schemas/security.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, securityTabs } from '#web/paths.ts'
import { useTab } from '#web/table/use-tab.ts'
import { CountText, Share } from '#web/ui/figures.tsx'
import { FigureStrip, StripFigure } from '#web/ui/figure-strip.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { EventsTab } from './events-tab.tsx'
import { IntegrityChip } from './integrity-chip.tsx'
import { LogsTab } from './logs-tab.tsx'
import { figuresQuery } from './queries.ts'

const tabs = [
  { value: 'events' as const, label: 'Security Events', panel: <EventsTab /> },
  { value: 'actions' as const, label: 'Admin Actions', panel: <LogsTab /> },
]

/** Security & Audit Logs (product 5.12): security events, and what operators did. */
export default function SecurityPage() {
  const [tab, choose] = useTab(securityTabs)
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(24rem,1fr)] page-scrolls:block print:block">
      <Figures />
      <Tabs label="Security and audit logs" tabs={tabs} value={tab} onChange={choose} fill end={<IntegrityChip />} />
    </div>
  )
}

const renderShare = (name: 'critical' | 'high' | 'unresolved') => (figures: SecurityFigures) => (
  <Share part={figures[name]} total={figures.total} none="no events yet" />
)
const renderResolved = ({ total, unresolved }: SecurityFigures) => (
  <CountText count={total - unresolved} what="resolved" />
)

/** The four cards, exact over the whole table (product 5.12). */
function Figures() {
  const query = useQuery(figuresQuery())
  return (
    <FigureStrip label="Security figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <StripFigure
            name="Total Events"
            link={<Link {...paths.security({ resolved: 'all' })} />}
            figure={show(({ total }) => formatCount(total), 'h-5 w-16')}
            comparison={show(renderResolved, 'h-3 w-20')}
          />
          <StripFigure
            name="Critical Events"
            link={<Link {...paths.security({ status: 'critical', resolved: 'all' })} />}
            figure={show(({ critical }) => formatCount(critical), 'h-5 w-10')}
            comparison={show(renderShare('critical'), 'h-3 w-24')}
          />
          <StripFigure
            name="High Severity"
            link={<Link {...paths.security({ status: 'high', resolved: 'all' })} />}
            figure={show(({ high }) => formatCount(high), 'h-5 w-10')}
            comparison={show(renderShare('high'), 'h-3 w-24')}
          />
          <StripFigure
            name="Unresolved"
            link={<Link {...paths.security({ resolved: 'each' })} />}
            figure={show(({ unresolved }) => formatCount(unresolved), 'h-5 w-12')}
            comparison={show(renderShare('unresolved'), 'h-3 w-24')}
          />
        </>
      )}
    </FigureStrip>
  )
}
