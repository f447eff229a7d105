import { Send } from 'lucide-react'
import type { Delivery } from '#contract/deliveries.ts'
import { Button } from '#web/ui/button.tsx'
import { useFocusBeyond } from '#web/ui/error-state.tsx'
import { useResend } from './use-resend.ts'

/** A case that is neither under way nor can go out again. */
const isOver = ({ kind, state, canResend }: Delivery) => kind === 'case' && state !== 'sending' && !canResend

/** Sends one message again. Where that can't be a word says why, or nothing for what came in or is under way. */
export function ResendButton({ delivery, size = 'small' }: { delivery: Delivery; size?: 'small' | 'default' }) {
  const { isPending, isLocked, start } = useResend(delivery.id)
  if (!isPending && isOver(delivery))
    return (
      <span
        title="This attempt is decided, or another has followed it: there is nothing more to ask the provider"
        className="flex min-h-7 items-center text-13 text-quiet"
      >
        Decided
      </span>
    )
  if (!delivery.canResend && !isPending) return null
  return (
    <Resend
      label={`Resend ${delivery.type} of ${delivery.entityId}`}
      size={size}
      isPending={isPending}
      isLocked={isLocked}
      onResend={() => start({ ids: [delivery.id] })}
    />
  )
}

interface ResendProps {
  label: string
  size: 'small' | 'default'
  isPending: boolean
  isLocked: boolean
  onResend: () => void
}
function Resend({ label, size, isPending, isLocked, onResend }: ResendProps) {
  const place = useFocusBeyond()
  return (
    <div ref={place}>
      <Button size={size} loading={isPending} disabled={isLocked && !isPending} onClick={onResend} aria-label={label}>
        <Send aria-hidden />
        Resend
      </Button>
    </div>
  )
}
