import { invitationHours } from '#contract/operators.ts'
import type { Invitation } from '#contract/schemas/operators.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'

/** The link of an invitation. Nobody can see it again. */
export default function LinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { link, operator } = invitation
  return (
    <Dialog
      title={`Invitation of ${operator.username}`}
      description={`It is shown this once. Give it to ${operator.username} alone: whoever opens it sets the password. It works once, for ${invitationHours} hours.`}
      onClose={onClose}
    >
      <DialogBody>
        <p className="flex items-center gap-1 rounded-m border bg-canvas px-3 py-2">
          <code className="hash-text min-w-0 flex-1 break-all">{link}</code>
          <CopyButton text={link} label="Copy link" />
        </p>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
