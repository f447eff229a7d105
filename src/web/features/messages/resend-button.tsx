import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '#contract/schemas/messages.ts'
import { useCan } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { useResend } from './use-resend.ts'

const ResendDialog = lazy(() => import('./resend-dialog.tsx'))

/** Whether a case is neither being sent nor can be resent. */
const isSettled = ({ kind, state, canResend }: Message) => kind === 'case' && state !== 'sending' && !canResend

/** Resends one message, and asks first where the platform has a newer one. Shows why a case cannot be resent. */
export function ResendButton({ message, size = 'small' }: { message: Message; size?: 'small' | 'default' }) {
  const { isPending, isLocked, start } = useResend(message.id)
  const maySend = useCan('messages.send')
  const [isAsking, setAsking] = useState(false)
  if (!isPending && isSettled(message))
    return (
      <span
        title="This attempt is decided, or a newer one has followed. There is nothing left to send."
        className="flex min-h-7 items-center text-13 text-quiet"
      >
        Decided
      </span>
    )
  if (!maySend || (!message.canResend && !isPending)) return null
  return (
    <>
      <ResendControl
        label={`Resend ${message.type} of ${message.entityId}`}
        size={size}
        isPending={isPending}
        isLocked={isLocked}
        onResend={() => (message.isSuperseded ? setAsking(true) : start(message.id))}
      />
      <LazyBoundary fallback={null} onFailure={() => setAsking(false)}>
        {isAsking && <ResendDialog id={message.id} onClose={() => setAsking(false)} />}
      </LazyBoundary>
    </>
  )
}

interface ResendControlProps {
  label: string
  size: 'small' | 'default'
  isPending: boolean
  isLocked: boolean
  onResend: () => void
}
function ResendControl({ label, size, isPending, isLocked, onResend }: ResendControlProps) {
  const place = useFocusAfterRetry()
  return (
    <div ref={place}>
      <ChangeButton
        size={size}
        loading={isPending}
        disabled={isLocked && !isPending}
        onClick={onResend}
        aria-label={label}
      >
        <Send aria-hidden />
        Resend
      </ChangeButton>
    </div>
  )
}
