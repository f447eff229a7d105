import type { OperatorState } from '#contract/operators.ts'
import { roleLabels, roleNames, type Role } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'

export const stateWords: Record<OperatorState, string> = { invited: 'Invited', active: 'Active', disabled: 'Disabled' }

/** What a role is for, in a sentence. The permissions are in docs/access-matrix.md. */
export const roleSentences: Record<Role, string> = {
  viewer: 'Sees every screen but identity documents, exports lists, and changes nothing.',
  reviewer: 'Sees members, their documents and KYC; decides KYC, and bans members.',
  finance: 'Works on orders and bank money; sees tokens, transactions and the treasury.',
  super_admin: 'May do everything, and manages operators.',
}

export const roleOptions = roleNames.map((value) => ({ value, label: roleLabels[value] }))

/** Whether a role invites others. Not asked of the table of roles, which would load with the first page. */
export const mayInvite = (role: Role): boolean => role === 'super_admin'

const countOf = (count: number, noun: string) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`])

/** The second factors of an operator. Null where there are none. */
export function describeFactors({ passkeys, apps, recoveryCodes }: Operator['factors']): string | null {
  const factors = [...countOf(passkeys, 'passkey'), ...countOf(apps, 'app')]
  return factors.length === 0 ? null : [...factors, ...countOf(recoveryCodes, 'code')].join(', ')
}

const names = (found: readonly Operator[]) => found.map((each) => each.username).join(', ')

/** What happens to the invitations whose links an operator has, once the operator may not invite any more. */
export function describeInvited({ username }: Operator, operators: readonly Operator[]) {
  const invited = operators.filter((each) => [each.invitedBy, each.invitationApprovedBy].includes(username))
  const open = invited.filter(({ state, invitedUntil }) => state === 'invited' && invitedUntil !== null)
  const active = invited.filter(({ state }) => state === 'active')
  return {
    ended: open.length === 0 ? null : `Also ends ${countOf(open.length, 'invitation').join('')}: ${names(open)}`,
    stays: active.length === 0 ? null : `Invited by ${username}, and stays active: ${names(active)}`,
  }
}

export const describeOperator = ({ role, state }: Operator): string =>
  `${roleLabels[role]}, ${stateWords[state].toLowerCase()}`
