import { FailuresCard } from './failures-card.tsx'
import { Figures } from './figures.tsx'
import { LogsCard } from './logs-card.tsx'
import { SubmitCard } from './submit-card.tsx'

/** KYC Webhooks (SPEC section 2): the attempts to hand cases to the KYC provider. */
export function WebhooksPage() {
  return (
    <div className="gutter mx-auto grid w-full max-w-content gap-4 py-4 md:gap-5 md:py-6">
      <Figures />
      <div className="grid min-w-0 items-start gap-4 *:min-w-0 md:gap-5 min-[88rem]:grid-cols-[minmax(0,1fr)_20rem] min-[88rem]:grid-rows-[auto_1fr]">
        <SubmitCard className="min-[88rem]:col-start-2" />
        <LogsCard className="min-[88rem]:col-start-1 min-[88rem]:row-span-2 min-[88rem]:row-start-1" />
        <FailuresCard className="min-[88rem]:col-start-2" />
      </div>
    </div>
  )
}
