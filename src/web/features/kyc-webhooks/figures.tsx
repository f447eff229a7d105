import { useQuery } from '@tanstack/react-query'
import type { WebhookStats } from '#contract/schemas/kyc-webhooks.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Figures as FiguresOf, Share } from '#web/ui/figures.tsx'
import { Stat } from '#web/ui/stats.tsx'
import { statsQuery } from './queries.ts'

const renderShare = (name: 'successfulAttempts' | 'failedAttempts') => (stats: WebhookStats) => (
  <Share part={stats[name]} total={stats.totalAttempts} none="none yet" />
)
const renderSuccesses = ({ totalAttempts, successfulAttempts }: WebhookStats) =>
  totalAttempts === 0 ? (
    'no attempts yet'
  ) : (
    <>
      <b>{formatCount(successfulAttempts)}</b> of {formatCount(totalAttempts)}
    </>
  )

/** The four cards, exact over the whole table (product 5.11). */
export function Figures() {
  const query = useQuery(statsQuery())
  return (
    <FiguresOf label="KYC webhook figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <Stat
            name="Total Attempts"
            link={<Link {...paths.kycWebhooks()} />}
            figure={show(({ totalAttempts }) => formatCount(totalAttempts), 'h-7 w-16')}
            comparison={show(() => 'retries included', 'h-4 w-28')}
          />
          <Stat
            name="Successful"
            link={<Link {...paths.kycWebhooks({ status: 'success' })} />}
            figure={show(({ successfulAttempts }) => formatCount(successfulAttempts), 'h-7 w-16')}
            comparison={show(renderShare('successfulAttempts'), 'h-4 w-20')}
          />
          <Stat
            name="Failed"
            link={<Link {...paths.kycWebhooks({ status: 'failed' })} />}
            figure={show(({ failedAttempts }) => formatCount(failedAttempts), 'h-7 w-12')}
            comparison={show(renderShare('failedAttempts'), 'h-4 w-20')}
          />
          <Stat
            name="Success Rate"
            link={<Link {...paths.kycWebhooks({ status: 'success' })} />}
            figure={show(
              ({ totalAttempts, successRate }) => (totalAttempts === 0 ? '–' : `${successRate.toFixed(1)}%`),
              'h-7 w-20',
            )}
            comparison={show(renderSuccesses, 'h-4 w-16')}
          />
        </>
      )}
    </FiguresOf>
  )
}
