import { expect, test } from 'vitest'
import { buildDetailLines } from './detail-lines.ts'

test('a change reads before → after, what stayed the same is left out (product 6.9)', () => {
  expect(
    buildDetailLines({
      attemptNumber: 2,
      rejectionReason: 'fraud_ring',
      adminNotes: null,
      before: { kycStatus: 'under_review', membershipId: null, kycBanned: false, reason: 'x' },
      after: { kycStatus: 'approved', membershipId: 'MB-00000018', kycBanned: true, reason: 'x' },
    }),
  ).toEqual([
    { label: 'Attempt number', to: '2' },
    { label: 'Rejection reason', to: 'Fraud ring' },
    { label: 'KYC status', from: 'Under Review', to: 'Verified' },
    { label: 'Membership ID', from: 'none', to: 'MB-00000018' },
    { label: 'Status', from: 'Active', to: 'Banned' },
  ])
})

test('a change of a single value reads before → after', () => {
  expect(buildDetailLines({ username: 'ada', before: 'reviewer', after: 'super_admin' })).toEqual([
    { label: 'Username', to: 'ada' },
    { label: 'Changed', from: 'Reviewer', to: 'Super Admin' },
  ])
})

test('the reason of a ban stands once', () => {
  expect(
    buildDetailLines({
      reason: 'Fraud ring',
      before: { kycBanned: false, bannedReason: null },
      after: { kycBanned: true, bannedReason: 'Fraud ring' },
    }),
  ).toEqual([
    { label: 'Reason', to: 'Fraud ring' },
    { label: 'Status', from: 'Active', to: 'Banned' },
  ])
})

test('a document reads as what it shows', () => {
  expect(buildDetailLines({ documentPath: 'doc_CgRmm', kind: 'back' })).toEqual([
    { label: 'Document', to: 'Identity back' },
  ])
})

test('what was created reads as its values', () => {
  expect(
    buildDetailLines({ kind: 'earning', after: { tokenSymbol: 'SOLR', isActive: true, projectLink: null } }),
  ).toEqual([
    { label: 'Kind', to: 'earning' },
    { label: 'Token symbol', to: 'SOLR' },
    { label: 'Is active', to: 'yes' },
  ])
})

test('a call of the platform reads as the call and what came of it (product 6.9)', () => {
  expect(buildDetailLines({ call: 'PUT /members/{id}', outcome: 'created' })).toEqual([
    { label: 'PUT /members/{id}', to: 'created' },
  ])
  expect(buildDetailLines({ call: 'PUT /orders/{orderNumber}', status: 404, code: 'not_found', line: 3 })).toEqual([
    { label: 'PUT /orders/{orderNumber}', to: '404 not found' },
    { label: 'Line', to: '3' },
  ])
  expect(
    buildDetailLines({ call: 'PUT /members/{id}', status: 400, code: 'invalid', fields: ['email', 'legal_name'] }),
  ).toEqual([
    { label: 'PUT /members/{id}', to: '400 invalid' },
    { label: 'Fields', to: 'email, legal_name' },
  ])
  expect(buildDetailLines({ call: 'GET /members/{id}' })).toEqual([{ label: 'GET /members/{id}', to: 'done' }])
})

test('whatever details hold, it is text and never code', () => {
  expect(
    buildDetailLines({
      endedSessions: ['4', '7'],
      none: [],
      nested: { userName: 'ada', deep: { it: true } },
      at: '2026-01-05T09:00:00.000Z',
      before: 'x',
    }),
  ).toEqual([
    { label: 'Ended sessions', to: '4, 7' },
    { label: 'None', to: 'none' },
    { label: 'Nested', to: 'User name: ada; Deep: It: yes' },
    { label: 'At', to: expect.stringMatching(/^Jan 05, 2026 at \d\d:\d\d$/) },
    { label: 'Before', to: 'x' },
  ])
  expect(buildDetailLines({})).toEqual([])
})
