import { beforeEach, expect, test } from 'vitest'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import type { Notice } from '#contract/schemas/notices.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer, type Caller } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const note = 'The photo looks edited.'

const ask = (as: Caller, id: string, text: unknown = note) =>
  as('POST', `/api/kyc/cases/${id}/another-look`, { note: text })
const end = (as: Caller, id: string) => as('DELETE', `/api/kyc/cases/${id}/another-look`)
const nextId = async (as: Caller, place?: { after?: string; before?: string }) =>
  (await as('POST', '/api/kyc/cases/claim-next', place)).json<{ case: ReviewCase | null }>().case?.verification.id ??
  null
const listed = async (query = 'anotherLook=true') =>
  (await grace('GET', `/api/kyc/verifications?${query}`)).json<{ verifications: Verification[]; total: number }>()
const notice = async (as: Caller) =>
  (await as('GET', '/api/notices')).json<{ notices: Notice[] }>().notices.find(({ kind }) => kind === 'another_looks')
    ?.count ?? 0

/** `count` waiting cases, the oldest first. */
async function makeCases(count: number) {
  const cases: { id: string; memberId: string }[] = []
  for (let n = 0; n < count; n++) {
    const member = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
    await makeAttempt(server, member.id, { at: new Date(Date.UTC(2026, 1, 1, n)).toISOString() })
    const [row] = await server.sql<{ id: string }>('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [
      member.id,
    ])
    cases.push({ id: row!.id, memberId: member.id })
  }
  return cases as [(typeof cases)[0], ...typeof cases]
}
beforeEach(async () => {
  await server.sql('DELETE FROM members')
})

test('a case that needs another look is not offered to who asked, but to others (product 5.10)', async () => {
  const [first, second] = await makeCases(2)
  expect(await nextId(ada)).toBe(first.id)
  const reply = await ask(ada, first.id, `  ${note} `)
  expect(reply.statusCode, reply.body).toBe(200)
  expect(reply.json()).toMatchObject({
    message: 'Marked for another look',
    verification: { id: first.id, status: 'pending', claimedBy: null, anotherLook: { by: 'ada', note } },
  })
  expect(await nextId(ada)).toBe(second!.id)
  expect(await nextId(ada, { after: second!.id })).toBeNull()
  expect(await nextId(grace)).toBe(first.id)
})

test('such cases are listed, counted and noticed', async () => {
  const [first, second] = await makeCases(3)
  await ask(ada, first.id)
  await ask(grace, second!.id)
  const { verifications, total } = await listed()
  expect([total, verifications.map(({ id }) => id)]).toEqual([2, [second!.id, first.id]])
  expect((await listed('status=pending')).total).toBe(3)
  expect(await notice(ada)).toBe(2)
  await server.addOperator('finn', 'finance')
  expect(await notice(server.as('finn'))).toBe(0)
})

test('a case goes back into the queue of who asked', async () => {
  const [first] = await makeCases(1)
  await ask(ada, first.id)
  const reply = await end(grace, first.id)
  expect(reply.json()).toMatchObject({ message: 'Back in the queue', verification: { anotherLook: null } })
  expect((await end(grace, first.id)).statusCode).toBe(200)
  expect(await nextId(ada)).toBe(first.id)
})

test('a decision ends it, no matter who makes it', async () => {
  const [first, second] = await makeCases(2)
  for (const { id } of [first, second!]) await ask(ada, id)
  expect((await grace('POST', `/api/kyc/verifications/${first.id}/review`, { action: 'approve' })).statusCode).toBe(200)
  expect((await grace('POST', `/api/users/${second!.memberId}/kyc/reset`)).statusCode).toBe(200)
  expect((await listed()).total).toBe(0)
  expect(await server.sql('SELECT verification_id FROM kyc_another_looks')).toEqual([])
})

test('the latest who asks counts, and the same once', async () => {
  const [first] = await makeCases(1)
  await ask(ada, first.id)
  await ask(ada, first.id)
  await ask(grace, first.id, 'Me neither')
  expect((await listed()).verifications[0]).toMatchObject({ anotherLook: { by: 'grace', note: 'Me neither' } })
  const logged = await server.sql(
    "SELECT actor_name FROM audit_log WHERE action = 'ask_another_look' AND target_id = $1",
    [first.memberId],
  )
  expect(logged.map(({ actor_name: name }) => name)).toEqual(['ada', 'grace'])
})

test('a case that is decided, unknown or open at somebody else’s is refused', async () => {
  const [first, second] = await makeCases(2)
  await nextId(grace)
  for (const reply of [await ask(ada, first.id), await end(ada, first.id)])
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'case_claimed'])
  await grace('POST', `/api/kyc/verifications/${second!.id}/review`, { action: 'approve' })
  for (const reply of [await ask(ada, second!.id), await end(ada, second!.id)])
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'attempt_decided'])
  expect((await ask(ada, '999999')).statusCode).toBe(404)
  for (const text of ['', '  ', 'x'.repeat(1001), null]) expect((await ask(ada, first.id, text)).statusCode).toBe(400)
})

test('activity tells who asked for it and who ended it, with the note', async () => {
  const [first] = await makeCases(1)
  await ask(ada, first.id)
  await end(grace, first.id)
  const { entries } = (await ada('GET', `/api/users/${first.memberId}/activity?kind=kyc`)).json()
  expect(entries.slice(0, 2)).toMatchObject([
    { type: 'end_another_look', actor: 'grace', attemptNumber: 1 },
    { type: 'ask_another_look', actor: 'ada', attemptNumber: 1, text: note },
  ])
})

test('an erased member leaves no note to a colleague', async () => {
  const [first] = await makeCases(1)
  await ask(ada, first.id)
  await eraseMember(server.system, first.memberId)
  expect(await server.sql('SELECT note FROM kyc_another_looks')).toEqual([])
  const { entries } = (await ada('GET', `/api/users/${first.memberId}/activity?kind=kyc`)).json()
  expect(JSON.stringify(entries)).not.toContain(note)
})

test('the platform hears nothing of it', async () => {
  const [first] = await makeCases(1)
  const count = async () => (await server.sql('SELECT id FROM platform_events')).length
  const before = await count()
  await ask(ada, first.id)
  expect(await count()).toBe(before)
})

test('the case before is the nearest one that is free, and each has its place', async () => {
  const [first, second, third] = await makeCases(3)
  await ask(ada, second!.id)
  const reply = (await ada('POST', `/api/kyc/cases/${third!.id}/claim`)).json()
  expect(reply).toMatchObject({ waiting: expect.any(Number), position: 3 })
  expect(await nextId(ada, { before: third!.id })).toBe(first.id)
  expect(await nextId(ada, { before: first.id })).toBeNull()
})
