import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { kycWebhookRoutes, memberIdRequired } from '#contract/kyc-webhooks.ts'
import type { WebhookStats } from '#contract/schemas/kyc-webhooks.ts'
import { call, describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, webhooksTabs } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useTab } from '#web/table/use-tab.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Share } from '#web/ui/figures.tsx'
import { Input } from '#web/ui/input.tsx'
import { EndpointChip } from '#web/features/messages/endpoint-chip.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { FigureStrip, StripFigure } from '#web/ui/figure-strip.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { FailuresCard } from './failures-card.tsx'
import { LogsCard } from './logs-card.tsx'
import { statsQuery } from './queries.ts'
import { useAttempt } from './retry-button.tsx'

const mutationKey = ['kyc-submission']
const titles = { taken: 'KYC Submitted', failed: 'KYC Submission Failed', refused: 'KYC Submission Failed' }
const longestId = 64

/** Sends a member's case by hand, one at a time (product 5.11). */
function SubmitCard({ className }: { className: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  // The failure of an attempt stays visible after its toast.
  const [problem, setProblem] = useState<{ field?: string; attempt?: string }>({})
  const submission = useAttempt({
    mutationKey,
    send: (userId) => call(kycWebhookRoutes.submit, { body: { userId } }),
    titles,
    onTaken: (userId) => setTyped((now) => (now.trim() === userId ? '' : now)),
    onFailed: (attempt) => setProblem({ attempt }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (submission.isPending) return
    const userId = typed.trim()
    setProblem(userId === '' ? { field: memberIdRequired } : {})
    if (userId === '') input.current?.focus()
    else submission.start(userId)
  }
  return (
    <Panel title="Test KYC Submission" className={className}>
      <form noValidate onSubmit={submit} className="border-t px-4 pt-3.5 pb-4">
        <Field
          label="User ID"
          error={problem.field}
          hint="The member's latest submitted attempt goes to the KYC provider now. The answer may take 10 seconds."
        >
          {(control) => (
            <div className="flex gap-2 narrowest:flex-col md:max-w-lg">
              <Input
                {...control}
                ref={input}
                value={typed}
                maxLength={longestId}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="The platform's own id"
                onChange={({ target }) => {
                  setTyped(target.value)
                  setProblem({})
                }}
              />
              <ChangeButton type="submit" variant="primary" loading={submission.isPending}>
                Submit KYC
              </ChangeButton>
            </div>
          )}
        </Field>
        {problem.attempt && (
          <Note tone="danger" className="mt-3">
            {problem.attempt}
          </Note>
        )}
      </form>
    </Panel>
  )
}

const EndpointsTab = lazy(() => import('#web/features/messages/endpoints-tab.tsx'))
const MessagesTab = lazy(() => import('#web/features/messages/messages-tab.tsx'))

const LogFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState
    size="page"
    title="The delivery log could not be loaded"
    message="Check the connection."
    onRetry={onRetry}
  />
)
const EndpointsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState size="page" title="The endpoints could not be loaded" message="Check the connection." onRetry={onRetry} />
)
const loading = <p className="gutter py-3 text-13 text-quiet">Loading...</p>

const tabs = [
  { value: 'attempts' as const, label: 'KYC Attempts', panel: <Attempts /> },
  {
    value: 'deliveries' as const,
    label: 'Delivery Log',
    panel: (
      <LazyBoundary fallback={loading} failure={LogFailure}>
        <MessagesTab />
      </LazyBoundary>
    ),
  },
  {
    value: 'endpoints' as const,
    label: 'Endpoints',
    panel: (
      <LazyBoundary fallback={loading} failure={EndpointsFailure}>
        <EndpointsTab />
      </LazyBoundary>
    ),
  },
]

/** KYC Webhooks (product 5.11): the attempts to hand cases to the KYC provider; beside them every message, out and in. */
export default function WebhooksPage() {
  const [tab, choose] = useTab(webhooksTabs)
  return (
    // The log scrolls inside the window, the attempts scroll with the page.
    <div
      className={cn(
        tab === 'deliveries' &&
          'grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(24rem,1fr)] page-scrolls:block print:block',
      )}
    >
      <Tabs
        label="KYC webhooks"
        tabs={tabs}
        value={tab}
        onChange={choose}
        fill
        end={tab === 'deliveries' && <EndpointChip />}
      />
    </div>
  )
}

function Attempts() {
  return (
    <>
      {/* They count attempts alone, so they are hidden above the log of all messages. */}
      <Figures />
      <div className="gutter grid w-full max-w-table items-start gap-4 py-4 *:min-w-0 md:gap-5 md:py-5 min-[85rem]:grid-cols-[minmax(0,1fr)_20rem] min-[85rem]:grid-rows-[auto_1fr]">
        <LogsCard className="min-[85rem]:col-start-1 min-[85rem]:row-span-2 min-[85rem]:row-start-1" />
        <PermissionGate permission="messages.send">
          <SubmitCard className="min-[85rem]:col-start-2" />
        </PermissionGate>
        <FailuresCard className="min-[85rem]:col-start-2" />
      </div>
    </>
  )
}

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
function Figures() {
  const query = useQuery(statsQuery())
  return (
    <FigureStrip label="KYC webhook figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <StripFigure
            name="Total Attempts"
            link={<Link {...paths.kycWebhooks()} />}
            figure={show(({ totalAttempts }) => formatCount(totalAttempts), 'h-5 w-16')}
            comparison={show(() => 'retries included', 'h-3 w-28')}
          />
          <StripFigure
            name="Successful"
            link={<Link {...paths.kycWebhooks({ status: 'success' })} />}
            figure={show(({ successfulAttempts }) => formatCount(successfulAttempts), 'h-5 w-16')}
            comparison={show(renderShare('successfulAttempts'), 'h-3 w-20')}
          />
          <StripFigure
            name="Failed"
            link={<Link {...paths.kycWebhooks({ status: 'failed' })} />}
            figure={show(({ failedAttempts }) => formatCount(failedAttempts), 'h-5 w-12')}
            comparison={show(renderShare('failedAttempts'), 'h-3 w-20')}
          />
          <StripFigure
            name="Success Rate"
            link={<Link {...paths.kycWebhooks({ status: 'success' })} />}
            figure={show(
              ({ totalAttempts, successRate }) => (totalAttempts === 0 ? '–' : `${successRate.toFixed(1)}%`),
              'h-5 w-20',
            )}
            comparison={show(renderSuccesses, 'h-3 w-16')}
          />
        </>
      )}
    </FigureStrip>
  )
}
