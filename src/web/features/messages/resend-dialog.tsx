import { Send } from 'lucide-react'
import type { Resend } from '#contract/schemas/messages.ts'
import { formatCount } from '#web/lib/money.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { useResend } from './use-resend.ts'

export interface ResendRequest {
  count: number
  /** True for all matching messages, false for the selected ones. */
  isAll: boolean
  /** How many of them are older than what the platform has taken since; null where only the server could count them. */
  superseded: number | null
  body: Resend
}

function describeOutOfOrder(count: number, superseded: number | null): string {
  if (superseded === null) return 'An event that the platform has since had a newer one of arrives out of order.'
  if (count === 1)
    return 'The platform has since had a newer event of the same member, order or token: this one arrives out of order.'
  const some = superseded === 1 ? '1 of them arrives' : `${formatCount(superseded)} of them arrive`
  return `${some} out of order: the platform has since had a newer event of the same member, order or token.`
}

/** Confirms resending many messages, or an outdated one. Stays open after a refusal and shows it. */
export default function ResendDialog({
  asked,
  onClose,
  onTaken,
}: {
  asked: ResendRequest
  onClose: () => void
  onTaken: () => void
}) {
  const { isPending, refusal, start } = useResend('many', { isToldThere: true })
  const { count, isAll, superseded, body } = asked
  const many = count === 1 ? '1 message' : `${formatCount(count)} messages`
  return (
    <FormDialog
      role="alertdialog"
      title={isAll ? `Resend all ${many} that ${count === 1 ? 'matches' : 'match'}?` : `Resend ${many}?`}
      description="Each message goes out again, even if it was delivered before. Messages that failed for good get all their tries back. Messages that came in, were dropped with their endpoint, are being sent or concern a decided attempt are left out."
      // Only the server knows how many of the matching messages can be resent.
      action={{ label: isAll ? 'Resend All' : `Resend ${many}`, icon: Send }}
      pending={isPending}
      refusal={refusal}
      onSubmit={() => start(body, onTaken)}
      onClose={onClose}
    >
      {superseded !== 0 && (
        <Note tone="warning" role="note">
          {describeOutOfOrder(count, superseded)} Each keeps its sequence: a platform that applies only what is newer
          ignores what is older.
        </Note>
      )}
    </FormDialog>
  )
}
