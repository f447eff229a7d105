import { findPasswordProblem } from '#contract/password-policy.ts'
import { invalidField } from '#server/lib/errors.ts'

/** Refuses a new password that breaks the policy, under the name of its field. */
export function requirePassword(password: string, username: string, field = 'password'): void {
  const problem = findPasswordProblem(password, username)
  if (problem) throw invalidField(field, problem)
}
