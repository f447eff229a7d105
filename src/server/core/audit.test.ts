import { expect, test } from 'vitest'
import { platformEvent } from '#contract/schemas/platform-events.ts'

const [id, version] = ['m-1', 2]
const member = { memberId: id, membershipId: null }
const order = { orderNumber: 'O-1', memberId: id, at: '2026-01-05T09:00:00.000Z' }

test('an event says the entity that its type belongs to', () => {
  const banned = platformEvent('member.banned', { id, version, data: { ...member, reason: 'Fraud' } })
  expect(banned.entity).toEqual({ type: 'member', id })
  const paid = platformEvent('order.paid', { id: 'O-1', version, data: { ...order, status: 'paid' } })
  expect(paid.entity).toEqual({ type: 'order', id: 'O-1' })
})

// The compiler checks the lines below: one that compiled would be the error.
test('an event whose data is not exactly that of its type does not compile', () => {
  // @ts-expect-error: a field is missing
  platformEvent('member.banned', { id, version, data: member })
  // @ts-expect-error: a field may be null that its type requires
  platformEvent('member.banned', { id, version, data: { ...member, reason: null as string | null } })
  // @ts-expect-error: a required field may be missing
  platformEvent('member.banned', { id, version, data: { ...member, ...(version > 2 && { reason: 'Fraud' }) } })
  // @ts-expect-error: a field is of another type
  platformEvent('member.unbanned', { id, version, data: { ...member, memberId: 7 } })
  // @ts-expect-error: an unknown field
  platformEvent('member.unbanned', { id, version, data: { ...member, nonsense: 1 } })
  const withEmail = { ...member, email: 'ana@example.com' }
  // @ts-expect-error: a spread brings an unknown field
  platformEvent('member.unbanned', { id, version, data: { ...withEmail } })
  // @ts-expect-error: the state belongs to another event
  platformEvent('order.cancelled', { id: 'O-1', version, data: { ...order, status: 'paid', notes: 'By mistake' } })
  // @ts-expect-error: one of two types, and each takes other data
  platformEvent(version > 2 ? 'member.banned' : 'member.unbanned', { id, version, data: { ...member, reason: '' } })
  // @ts-expect-error: there is no such type
  expect(() => platformEvent('member.deleted', { id, version, data: member })).toThrow('undefined')
})
