import { Send } from 'lucide-react'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { useResend } from './use-resend.ts'

/** Confirms resending an outdated message. Stays open after a refusal and shows it. */
export default function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { isPending, refusal, start } = useResend('dialog', { isToldThere: true })
  return (
    <FormDialog
      role="alertdialog"
      title="Resend 1 message?"
      description="It goes out again, even if it was delivered before. One that failed for good gets all its tries back."
      action={{ label: 'Resend 1 message', icon: Send }}
      pending={isPending}
      refusal={refusal}
      onSubmit={() => start(id, onClose)}
      onClose={onClose}
    >
      <Note tone="warning" role="note">
        The platform has since had a newer event of the same member, order or token: this one arrives out of order. It
        keeps its sequence: a platform that applies only what is newer ignores what is older.
      </Note>
    </FormDialog>
  )
}
