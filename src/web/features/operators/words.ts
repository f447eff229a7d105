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

export const describeOperator = ({ role, state }: Operator): string =>
  `${roleLabels[role]}, ${stateWords[state].toLowerCase()}`
