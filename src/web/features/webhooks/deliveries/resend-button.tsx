import { Send } from 'lucide-react'
import type { Delivery } from '#contract/deliveries.ts'
import { Button } from '#web/ui/button.tsx'
import { useFocusBeyond } from '#web/ui/error-state.tsx'
import { useResend } from './use-resend.ts'

/** Sends one message again; nothing stands here where that can't be. */
export function ResendButton({ delivery, size = 'small' }: { delivery: Delivery; size?: 'small' | 'default' }) {
  const { isPending, isLocked, start } = useResend(delivery.id)
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
