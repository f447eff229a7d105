import { useNavigate, useSearch } from '@tanstack/react-router'
import { kycTabs, type KycTab } from '#web/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { Figures } from './figures.tsx'
import { StartReview } from './start-review.tsx'
import { Step2Tab, Step3Tab, Step4Tab } from './step-tabs.tsx'
import { SubmissionsTab } from './submissions-tab.tsx'
import { VerificationsTab } from './verifications-tab.tsx'

const ReviewMode = lazy(() => import('./review-mode/review-mode.tsx'))

const tabs = [
  { value: 'submissions' as const, label: 'KYC Submissions', panel: <SubmissionsTab /> },
  { value: 'verifications' as const, label: 'Verifications', panel: <VerificationsTab /> },
  { value: 'step2' as const, label: 'Step 2 History', panel: <Step2Tab /> },
  { value: 'step3' as const, label: 'Step 3 History', panel: <Step3Tab /> },
  { value: 'step4' as const, label: 'Step 4 History', panel: <Step4Tab /> },
]

/** KYC Management (SPEC section 2): its lists, or in their place review mode on one case. */
export function KycPage() {
  const { review }: { review?: string } = useSearch({ strict: false })
  if (review === undefined) return <Lists />
  return (
    <Lazily fallback={null} failed={ReviewFailed}>
      <ReviewMode review={review} />
    </Lazily>
  )
}

const ReviewFailed = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState
    title="Review mode could not be loaded"
    message="Check the connection, then try again or reload the console."
    onRetry={onRetry}
  />
)

function Lists() {
  const navigate = useNavigate()
  const { tab }: { tab?: KycTab } = useSearch({ strict: false })
  // A tab's search, filter and page mean nothing in the other ones.
  const choose = (value: KycTab) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...now,
        tab: value === kycTabs[0] ? undefined : value,
        search: undefined,
        status: undefined,
        page: undefined,
      }),
    })
  return (
    <div className="grid h-full grid-rows-[auto_auto_minmax(24rem,1fr)] max-md:grid-rows-[auto_auto_minmax(38rem,1fr)]">
      <div className="gutter mx-auto w-full max-w-content pt-4">
        <Figures />
      </div>
      <div className="relative z-2 mx-auto w-full max-w-content max-roomy:px-(--gutter) max-roomy:pt-3">
        <StartReview className="max-md:w-full roomy:absolute roomy:top-2.5 roomy:right-(--gutter)" />
      </div>
      <Tabs
        label="KYC lists"
        tabs={tabs}
        value={tab ?? kycTabs[0]}
        onChange={choose}
        className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)] pt-2 [&>[role=tablist]]:mx-auto [&>[role=tablist]]:mb-0 [&>[role=tablist]]:w-full [&>[role=tablist]]:max-w-content [&>[role=tablist]]:px-(--gutter) roomy:[&>[role=tablist]]:pr-64 [&>[role=tabpanel]]:min-h-0"
      />
    </div>
  )
}
