import { useQueryClient } from '@tanstack/react-query'
import { Check, Circle, Eye, EyeOff, type LucideIcon, X } from 'lucide-react'
import { type ComponentProps, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import { findPasswordProblem, maxPasswordLength, minPasswordLength } from '#contract/password-policy.ts'
import { ApiError, call, describeChangeRefusal, describeError } from '#web/api.ts'
import { type Problems, readProblems } from '#web/changes/use-change.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { cn } from '#web/lib/cn.ts'
import { capitalize } from '#web/lib/words.ts'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchSessions } from './queries.ts'

type RuleState = 'open' | 'met' | 'broken'

/** How far a new password meets the policy. It holds no part of the password. */
interface PasswordRating {
  length: number
  hasGoodLength: boolean
  /** What is wrong beside the length. */
  problem: string | null
}

function ratePassword(password: string, username: string): PasswordRating {
  const { length } = password
  const hasGoodLength = length >= minPasswordLength && length <= maxPasswordLength
  return { length, hasGoodLength, problem: hasGoodLength ? findPasswordProblem(password, username) : null }
}

const looks: Record<RuleState, { icon: LucideIcon; word: string; className: string }> = {
  open: { icon: Circle, word: 'not yet met', className: 'text-quiet' },
  met: { icon: Check, word: 'met', className: 'text-success-ink' },
  broken: { icon: X, word: 'not met', className: 'text-danger-ink' },
}

function Rule({ state, children }: { state: RuleState; children: string }) {
  const { icon: Icon, word, className } = looks[state]
  return (
    <li className={cn('flex items-start gap-1.5', className)}>
      <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>
        {children}
        <span className="sr-only">, {word}</span>
      </span>
    </li>
  )
}

/** The policy beside the field, while a password is typed. */
function PasswordRules({ id, rating: { length, hasGoodLength, problem } }: { id: string; rating: PasswordRating }) {
  const typed = length > 0 && !hasGoodLength ? `, now ${length}` : ''
  return (
    <ul id={id} className="mt-2 grid gap-1 text-12">
      <Rule state={hasGoodLength ? 'met' : length > maxPasswordLength ? 'broken' : 'open'}>
        {`${minPasswordLength} to ${maxPasswordLength} characters of any kind${typed}`}
      </Rule>
      <Rule state={hasGoodLength ? (problem ? 'broken' : 'met') : 'open'}>
        {problem ? capitalize(problem) : 'Not only well-known words, your username, repetitions or rows of keys'}
      </Rule>
    </ul>
  )
}

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

interface PasswordInputProps extends Omit<ComponentProps<typeof Input>, 'type'> {
  /** What is typed, for the button that shows it: "new password". */
  what: string
}

/** A password field that can be pasted into and shown. */
function PasswordInput({ what, className, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <span className="relative block">
      <Input
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={cn('pr-9', className)}
      />
      <span className="absolute top-1/2 right-1.5 grid -translate-y-1/2">
        <IconButton tiny label={isShown ? `Hide ${what}` : `Show ${what}`} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      </span>
    </span>
  )
}
