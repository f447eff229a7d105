import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import { ApiError, call, describeChangeRefusal, describeError } from '#web/api.ts'
import { readProblems, type Problems } from '#web/changes/read-problems.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import { PasswordRules, ratePassword } from './password-rules.tsx'
import { refetchSessions } from './queries.ts'

type PasswordField = RefObject<HTMLInputElement | null>

/** The problem beside its field: of the current password, or what the server names of the new one. */
function findProblems(error: unknown): Problems {
  const isWrong = error instanceof ApiError && error.reply?.code === 'invalid_credentials'
  return isWrong ? { currentPassword: describeError(error) } : readProblems(error)
}

/** Sends the change of the password. A refusal of a field stands beside it, and what was typed stays. */
function usePasswordChange(onDone: () => void, onRefused: (problems: Problems) => void) {
  const client = useQueryClient()
  return useSingleMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      call(accountSecurityRoutes.changePassword, { body }),
    onSuccess: async ({ endedSessions: ended }) => {
      const others = `${ended} other ${ended === 1 ? 'session was' : 'sessions were'} ended.`
      toast({ tone: 'success', title: 'Password changed', ...(ended > 0 && { description: others }) })
      onDone()
      await refetchSessions(client)
    },
    failure: 'Failed to change the password',
    onError: (error) => onRefused(findProblems(error)),
  })
}

/** The form that changes the own password. Its fields are uncontrolled, so that no password is in our state. */
export function usePasswordForm(username: string, onDone: () => void) {
  const [current, next] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const [problems, setProblems] = useState<Problems>({})
  /** Shows the problems and focuses the first wrong field. */
  function showProblems(found: Problems) {
    flushSync(() => setProblems(found))
    if (found['currentPassword']) current.current?.select()
    else if (found['newPassword']) next.current?.focus()
  }
  const change = usePasswordChange(onDone, showProblems)
  function submit() {
    const body = { currentPassword: current.current?.value ?? '', newPassword: next.current?.value ?? '' }
    const { hasGoodLength, problem } = ratePassword(body.newPassword, username)
    const found: Problems = {
      ...(body.currentPassword === '' && { currentPassword: 'Required' }),
      ...((!hasGoodLength || problem) && { newPassword: 'Choose one that meets both rules' }),
    }
    showProblems(found)
    if (Object.keys(found).length === 0) change.mutate(body)
  }
  const isElsewhere = change.error !== null && Object.keys(findProblems(change.error)).length === 0
  return {
    submit,
    isPending: change.isPending,
    /** A refusal that names no field. */
    refusal: isElsewhere ? describeChangeRefusal(change.error) : null,
    fields: { username, current, next, problems },
  }
}

interface PasswordFieldsProps {
  username: string
  current: PasswordField
  next: PasswordField
  problems: Problems
}

export function PasswordFields({ username, current, next, problems }: PasswordFieldsProps) {
  const rules = useId()
  const [rating, setRating] = useState(() => ratePassword('', username))
  return (
    <div className="grid gap-4">
      {/* Password managers save the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current password" error={problems['currentPassword']}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={current}
            what="current password"
            name="current-password"
            autoComplete="current-password"
            maxLength={200}
          />
        )}
      </Field>
      <div>
        <Field label="New password" error={problems['newPassword']}>
          {(control) => (
            <PasswordInput
              {...control}
              aria-describedby={[rules, control['aria-describedby']].filter(Boolean).join(' ')}
              ref={next}
              what="new password"
              name="new-password"
              autoComplete="new-password"
              maxLength={200}
              onInput={({ currentTarget }) => setRating(ratePassword(currentTarget.value, username))}
            />
          )}
        </Field>
        <PasswordRules id={rules} rating={rating} />
      </div>
    </div>
  )
}
