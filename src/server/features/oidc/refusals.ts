import { providerMinutes } from '#contract/oidc.ts'
import type { Severity } from '#contract/security.ts'
import type { ProviderProblem } from '#server/adapters/oidc-provider.ts'

/** Why a return from the provider is refused. */
export type RefusalReason =
  | ProviderProblem
  | 'flow_over'
  | 'no_role'
  | 'not_linked'
  | 'name_taken'
  | 'operator_limit'
  | 'disabled'
  | 'invitation_over'
  | 'identity_taken'
  | 'session_over'
  | 'other_person'
  | 'not_asked_again'
  | 'no_second_factor'

/** Thrown inside the transaction, so that nothing of the sign-in stays. */
export class ProviderRefusal extends Error {
  readonly reason: RefusalReason
  /** For the security event. Nothing that the provider wrote but the subject. */
  readonly details: Record<string, unknown>

  constructor(reason: RefusalReason, details: Record<string, unknown> = {}) {
    super(`refused: ${reason}`)
    this.reason = reason
    this.details = details
  }
}

interface RefusalText {
  status: number
  title: string
  /** `provider` is what the settings call it. */
  text: (provider: string) => string
  /** Absent where nobody has tried what he may not. */
  severity?: Severity
}

const over: Omit<RefusalText, 'severity'> = {
  status: 400,
  title: 'This sign-in is over',
  text: () =>
    `It was finished already, took longer than ${providerMinutes} minutes, or began in another browser. Begin again.`,
}
const notConfirmed = 'This is not confirmed'

export const refusalTexts: Record<RefusalReason, RefusalText> = {
  // Counted apart, since anybody can cause it.
  flow_over: over,
  expired: { ...over, severity: 'medium' },
  unreachable: {
    status: 503,
    title: 'The provider can’t be reached',
    text: (provider) => `The console has no answer from ${provider}. Try again in a moment.`,
  },
  refused: {
    status: 403,
    title: 'You are not signed in',
    text: (provider) => `${provider} has signed nobody in: it was cancelled there, or is not allowed for you.`,
  },
  unregistered: {
    status: 502,
    title: 'The provider does not know this console',
    text: (provider) =>
      `${provider} has refused the console itself. Anyone who runs the console has to compare its settings with the provider’s.`,
  },
  invalid: {
    status: 403,
    title: 'This sign-in can’t be trusted',
    text: (provider) => `The answer of ${provider} is not what the console asked for, so nobody is signed in.`,
    severity: 'high',
  },
  no_role: {
    status: 403,
    title: 'You have no access to this console',
    text: (provider) =>
      `None of your groups at ${provider} has a role here. Ask anyone who manages the groups, then sign in again.`,
    severity: 'medium',
  },
  not_linked: {
    status: 403,
    title: 'You have no access to this console',
    text: (provider) =>
      `Your account at ${provider} belongs to no operator. A super admin can invite you under Operators.`,
    severity: 'medium',
  },
  name_taken: {
    status: 403,
    title: 'Your name is taken here',
    text: (provider) =>
      `Another operator already has the name of your account at ${provider}. Is it you? Then sign in as before and link the provider under Account. Otherwise ask a super admin for an invitation.`,
    severity: 'medium',
  },
  operator_limit: {
    status: 403,
    title: 'There is no room for another operator',
    text: () => 'The console has as many operators as it can have. Ask a super admin.',
    severity: 'medium',
  },
  disabled: {
    status: 403,
    title: 'Your access is closed',
    text: () => 'A super admin has disabled your account here.',
    severity: 'medium',
  },
  invitation_over: {
    status: 403,
    title: 'This invitation no longer works',
    text: () => 'It was used, a newer one was made, or its time is over. Ask for a new one.',
    severity: 'low',
  },
  identity_taken: {
    status: 403,
    title: 'This account is linked already',
    text: (provider) => `Your account at ${provider} belongs to an operator, or the operator has another one there.`,
    severity: 'medium',
  },
  session_over: { status: 403, title: 'Your session has ended', text: () => 'Sign in to the console again.' },
  other_person: {
    status: 403,
    title: notConfirmed,
    text: (provider) => `Another account than yours was signed in at ${provider}.`,
    severity: 'medium',
  },
  not_asked_again: {
    status: 403,
    title: notConfirmed,
    text: (provider) =>
      `${provider} does not say that it has just asked for your credentials. With a passkey or an authenticator app, added under Account, you confirm here.`,
    severity: 'low',
  },
  no_second_factor: {
    status: 403,
    title: notConfirmed,
    text: (provider) => `${provider} has not asked for a second factor. Use one of your own here.`,
    severity: 'low',
  },
}
