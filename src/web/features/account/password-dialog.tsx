import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordFields, usePasswordForm } from './password-form.tsx'

/** Changes the own password. */
export default function PasswordDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const { submit, isPending, refusal, fields } = usePasswordForm(username, onClose)
  return (
    <FormDialog
      title="Change your password"
      description="Every other browser where you are signed in is signed out. What is typed there and was not sent is lost."
      action={{ label: 'Change Password' }}
      onSubmit={submit}
      onClose={onClose}
      pending={isPending}
      refusal={refusal}
    >
      <PasswordFields {...fields} />
    </FormDialog>
  )
}
