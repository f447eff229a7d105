import { Popover } from 'radix-ui'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { MissingValue } from '#web/ui/section.tsx'
import { formatLatency, describeStatus, describeTry } from './parts.tsx'

/** The provider's answer and the whole error, on request. */
export function DetailsPopover({ log }: { log: WebhookLog }) {
  const [isOpen, setOpen] = usePopover()
  const { userId, errorMessage, responseExcerpt } = log
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        type="button"
        aria-label={`Details of ${userId}, ${describeTry(log)}`}
        className="hit-area rounded-s text-12 text-quiet underline decoration-border-control decoration-dotted underline-offset-3 hover:text-ink max-md:after:absolute max-md:after:-inset-3"
      >
        Details
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={`${userId}, ${describeTry(log)}`}
          className="popover w-105 p-4"
        >
          <Facts>
            <Fact name="Status">
              {describeStatus(log)} <span className="text-quiet tabular-nums">{formatLatency(log)}</span>
            </Fact>
            {errorMessage && (
              <Fact name="Error">
                <bdi className="text-danger-ink">{errorMessage}</bdi>
              </Fact>
            )}
            <Fact name="Started by">{log.startedBy === 'queue' ? 'Automatic' : <bdi>{log.startedBy}</bdi>}</Fact>
            <Fact name="Answer">
              {responseExcerpt ? (
                <pre dir="auto" className="hash-text max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
                  {responseExcerpt}
                </pre>
              ) : (
                <MissingValue>None</MissingValue>
              )}
            </Fact>
          </Facts>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
