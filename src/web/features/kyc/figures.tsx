import { useQuery } from '@tanstack/react-query'
import type { KycFigures } from '#contract/schemas/kyc-reviews.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Share } from '#web/ui/figures.tsx'
import { FigureStrip, StripFigure } from '#web/ui/figure-strip.tsx'
import { figuresQuery } from './queries.ts'

const renderShare = (name: 'underReview' | 'approved') => (figures: KycFigures) => (
  <Share part={figures[name]} total={figures.totalSubmissions} none="none yet" />
)

/** The four cards, exact over the whole table (product 5.9, 5.2). */
export function Figures() {
  const query = useQuery(figuresQuery())
  return (
    <FigureStrip label="KYC figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <StripFigure
            name="Total KYC Submissions"
            link={<Link {...paths.kyc()} />}
            figure={show(({ totalSubmissions }) => formatCount(totalSubmissions), 'h-5 w-20')}
            comparison={show(renderDecided, 'h-3 w-24')}
          />
          <StripFigure
            name="Under Review"
            link={<Link {...paths.kyc({ status: 'under_review' })} />}
            figure={show(({ underReview }) => formatCount(underReview), 'h-5 w-16')}
            comparison={show(renderShare('underReview'), 'h-3 w-24')}
          />
          <StripFigure
            name="Approved"
            link={<Link {...paths.kyc({ status: 'approved' })} />}
            figure={show(({ approved }) => formatCount(approved), 'h-5 w-20')}
            comparison={show(renderShare('approved'), 'h-3 w-24')}
          />
          <StripFigure
            name="Processing Type"
            figure={show(renderProcessing, 'h-5 w-36')}
            comparison={show(renderAutomatic, 'h-3 w-28')}
          />
        </>
      )}
    </FigureStrip>
  )
}

const renderDecided = ({ manual, auto }: KycFigures) => (
  <>
    <b>{formatCount(manual + auto)}</b> decided
  </>
)

/** Manual and automatic decisions, each figure with its label. */
const renderProcessing = ({ manual, auto }: KycFigures) => (
  <span className="whitespace-nowrap">
    <ProcessedCount count={manual} by="Manual" /> <span className="font-regular text-quiet">/</span>{' '}
    <ProcessedCount count={auto} by="Auto" />
  </span>
)

const ProcessedCount = ({ count, by }: { count: number; by: string }) => (
  <>
    {formatCount(count)} <span className="text-12 font-regular text-quiet">{by}</span>
  </>
)

const renderAutomatic = ({ manual, auto }: KycFigures) =>
  manual + auto === 0 ? (
    'none decided yet'
  ) : (
    <>
      <b>{((auto / (manual + auto)) * 100).toFixed(1)}%</b> automatic
    </>
  )
