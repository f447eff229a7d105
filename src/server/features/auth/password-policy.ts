import { findPasswordProblem } from '#contract/password-policy.ts'
import { invalidField } from '#server/lib/errors.ts'

/** Refuses a username that cannot be read or typed. */
export function requireUsername(username: string): void {
  if (username.length < 1 || username.length > 64) throw invalidField('username', 'must have 1 to 64 characters')
  if (username !== username.trim() || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(username))
    throw invalidField('username', 'must not begin or end with a blank, nor hold invisible characters')
}

/** Refuses a new password that breaks the policy, under the name of its field. */
export function requirePassword(password: string, username: string, field = 'password'): void {
  const problem = findPasswordProblem(password, username)
  if (problem) throw invalidField(field, problem)
}
