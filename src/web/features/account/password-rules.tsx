import { Check, Circle, X, type LucideIcon } from 'lucide-react'
import { findPasswordProblem, maxPasswordLength, minPasswordLength } from '#contract/password-policy.ts'
import { cn } from '#web/lib/cn.ts'
import { capitalize } from '#web/lib/words.ts'

type RuleState = 'open' | 'met' | 'broken'

/** How far a new password meets the policy. It holds no part of the password. */
export interface PasswordRating {
  length: number
  hasGoodLength: boolean
  /** What is wrong beside the length. */
  problem: string | null
}

export function ratePassword(password: string, username: string): PasswordRating {
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
export function PasswordRules({
  id,
  rating: { length, hasGoodLength, problem },
}: {
  id: string
  rating: PasswordRating
}) {
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
