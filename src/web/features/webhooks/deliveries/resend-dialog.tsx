import { Send } from 'lucide-react'
import type { Resend } from '#contract/deliveries.ts'
import { formatCount } from '#web/lib/money.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useResend } from './use-resend.ts'

export interface Asked {
  count: number
  /** The chosen ones, or all that match. */
  isAll: boolean
  body: Resend
}

/** Asks before many messages go out again. Stays open when that was refused, and says why. */
export default function ResendDialog({
  asked,
  onClose,
  onTaken,
}: {
  asked: Asked
  onClose: () => void
  onTaken: () => void
}) {
  const { isPending, refusal, start } = useResend('many', { isToldThere: true })
  const { count, isAll, body } = asked
  const many = count === 1 ? '1 message' : `${formatCount(count)} messages`
  return (
    <FormDialog
      role="alertdialog"
      title={isAll ? `Resend all ${many} that match?` : `Resend ${many}?`}
      description="Each goes out again, also where it was delivered before, and those that were given up have all their tries again. What came in, is under way or has been decided is left out."
      // How many of a filter's messages can go out only the server knows.
      action={{ label: isAll ? 'Resend all' : `Resend ${many}`, icon: Send }}
      pending={isPending}
      refusal={refusal}
      onSubmit={() => start(body, onTaken)}
      onClose={onClose}
    />
  )
}
