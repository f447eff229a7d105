import { useRef, useState, type FormEvent } from 'react'
import { kycWebhookRoutes, userIdRequired } from '#contract/kyc-webhooks.ts'
import { call } from '#web/api.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAttempt } from './use-attempt.ts'

const mutationKey = ['kyc-submission']
const titles = {
  taken: 'KYC Submitted',
  failed: 'KYC Submission Failed',
  refused: 'KYC Submission Failed',
}
const longestId = 64

/** Sends a member's case by hand, one at a time (product 5.11). */
export function SubmitCard({ className }: { className: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  // The failure of an attempt stays visible after its toast.
  const [problem, setProblem] = useState<{ field?: string; attempt?: string }>({})
  const submission = useAttempt({
    mutationKey,
    send: (userId) => call(kycWebhookRoutes.submit, { body: { userId } }),
    titles,
    onTaken: (userId) => setTyped((now) => (now.trim() === userId ? '' : now)),
    onFailed: (attempt) => setProblem({ attempt }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (submission.isPending) return
    const userId = typed.trim()
    setProblem(userId === '' ? { field: userIdRequired } : {})
    if (userId === '') input.current?.focus()
    else submission.start(userId)
  }
  return (
    <Panel title="Test KYC Submission" className={className}>
      <form noValidate onSubmit={submit} className="border-t px-4 pt-3.5 pb-4">
        <Field
          label="User ID"
          error={problem.field}
          hint="The member's latest submitted attempt goes to the KYC provider now. The answer may take 10 seconds."
        >
          {(control) => (
            <div className="flex gap-2 narrowest:flex-col md:max-w-lg">
              <Input
                {...control}
                ref={input}
                value={typed}
                maxLength={longestId}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="The platform's own id"
                onChange={({ target }) => {
                  setTyped(target.value)
                  setProblem({})
                }}
              />
              <ChangeButton type="submit" variant="primary" loading={submission.isPending}>
                Submit KYC
              </ChangeButton>
            </div>
          )}
        </Field>
        {problem.attempt && (
          <Note tone="danger" className="mt-3">
            {problem.attempt}
          </Note>
        )}
      </form>
    </Panel>
  )
}
