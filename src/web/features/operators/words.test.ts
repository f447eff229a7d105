import { expect, test } from 'vitest'
import { can, roleNames } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { describeFactors, describeInvited, mayInvite } from './words.ts'

const factors = { passkeys: 0, apps: 0, recoveryCodes: 0 }
const operator: Operator = {
  id: '1',
  username: 'second',
  role: 'super_admin',
  state: 'active',
  createdAt: '2026-11-20T08:00:00Z',
  lastSignInAt: null,
  lastAction: null,
  sessions: 0,
  invitedUntil: null,
  invitedBy: null,
  invitationApprovedBy: null,
  factors,
  version: 1,
}
const invited = (username: string, given: Partial<Operator>): Operator => ({
  ...operator,
  username,
  state: 'invited',
  invitedUntil: '2026-11-22T08:00:00Z',
  invitedBy: 'second',
  ...given,
})

test('the roles that invite are those of the contract (product 2.6)', () => {
  expect(roleNames.filter(mayInvite)).toEqual(roleNames.filter((role) => can({ role }, 'operators.manage')))
})

test('invitations that an operator made or approved are named (product 2.7)', () => {
  const operators = [
    operator,
    invited('one', {}),
    invited('two', { invitedBy: 'ada', invitationApprovedBy: 'second' }),
    invited('of-ada', { invitedBy: 'ada' }),
    invited('over', { invitedUntil: null }),
    invited('joined', { state: 'active', invitedUntil: null }),
  ]
  expect(describeInvited(operator, operators)).toEqual({
    ended: 'Also ends 2 invitations: one, two',
    stays: 'Invited by second, and stays active: joined',
  })
  expect(describeInvited(operator, [operator])).toEqual({ ended: null, stays: null })
})

test('factors are counted with the codes that are left', () => {
  expect(describeFactors(factors)).toBeNull()
  expect(describeFactors({ passkeys: 2, apps: 1, recoveryCodes: 9 })).toBe('2 passkeys, 1 app, 9 codes')
})
