import { expect, test } from 'vitest'
import { makeMember } from '#test/support/make.ts'
import { createImporter } from '#test/support/import.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const server = await startServer({
  KYC_WEBHOOK_URL: 'https://kyc.example/cases',
  KYC_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
})
const call = createPlatformCaller(server)
const queued = (member: string) =>
  server.sql(
    `SELECT attempt_number, state FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1 ORDER BY attempt_number`,
    [member],
  )
const statusOf = async (member: string) => (await call('GET', `/members/${member}`)).json().kyc.status

test('a submitted case enters the queue once, with the call (product 10.2)', async () => {
  const { id } = await makeMember(server)
  await call('PUT', `/members/${id}/kyc/1`, { step2 })
  expect(await queued(id)).toEqual([])
  const submits = await Promise.all(
    Array.from({ length: 8 }, () => call('PUT', `/members/${id}/kyc/1`, { submit: true })),
  )
  expect(submits.map((reply) => reply.json().outcome).toSorted()).toEqual(
    ['unchanged', 'updated'].flatMap((each) => Array(each === 'updated' ? 1 : 7).fill(each)),
  )
  expect(await queued(id)).toEqual([{ attempt_number: 1, state: 'waiting' }])
  expect(await statusOf(id)).toBe('submitted')
  await call('PUT', `/members/${id}/kyc/2`, { step2, submit: true })
  expect(await queued(id)).toHaveLength(2)
})

test('no call can skip an attempt number (product 10.2)', async () => {
  const { id } = await makeMember(server)
  const refused = async (attempt: number, body: object) => {
    const reply = await call('PUT', `/members/${id}/kyc/${attempt}`, body)
    return [reply.statusCode, reply.json().message]
  }
  const next = (attempt: number, number: number) => [
    409,
    `attempt: ${attempt} is too far ahead; the member's next attempt is ${number}`,
  ]
  for (const body of [{ step2 }, { step2, submit: true }, {}]) expect(await refused(1000, body)).toEqual(next(1000, 1))
  expect(await refused(2, { step2 })).toEqual(next(2, 1))
  await call('PUT', `/members/${id}/kyc/1`, { step2 })
  expect(await refused(3, { step2 })).toEqual(next(3, 1))
  await call('PUT', `/members/${id}/kyc/1`, { submit: true })
  expect(await refused(3, { step2 })).toEqual(next(3, 2))
  const line = (attempt: number) => ({ type: 'kyc', memberId: id, attempt, step2, submit: true })
  const ahead = (attempt: number, latest: number) =>
    `attempt: ${attempt} is too far ahead; an import may be 10 ahead of attempt ${latest}`
  expect((await createImporter(server)(line(12), line(11), line(22), line(21))).errors).toMatchObject([
    { line: 1, message: ahead(12, 1) },
    { line: 3, message: ahead(22, 11) },
  ])
})

test('no call passes an open draft by, and its steps stay', async () => {
  const { id } = await makeMember(server)
  const kyc = async () => (await call('GET', `/members/${id}`)).json().kyc
  await call('PUT', `/members/${id}/kyc/1`, { step2 })
  for (const body of [{ submit: true }, { step2, submit: true }, { step2 }, {}]) {
    const reply = await call('PUT', `/members/${id}/kyc/2`, body)
    expect([reply.statusCode, reply.json().code, reply.json().details]).toEqual([
      409,
      'attempt_gap',
      { nextAttempt: 1 },
    ])
  }
  expect(await kyc()).toMatchObject({ nextAttempt: 1, attempts: [], draft: { attempt: 1, step2 } })
  expect(await queued(id)).toEqual([])
  expect((await call('PUT', `/members/${id}/kyc/1`, { submit: true })).json().outcome).toBe('updated')
  expect(await kyc()).toMatchObject({ nextAttempt: 2, attempts: [{ attempt: 1, step2 }], draft: null })
})

test('a refused gap names the attempt number that is accepted', async () => {
  const { id } = await makeMember(server)
  const [submittedAt, decidedAt] = ['2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z']
  const decision = { result: 'rejected', reason: 'Blurred', decidedAt }
  await createImporter(server)({ type: 'kyc', memberId: id, attempt: 4, step2, submit: true, submittedAt, decision })
  const gap = async (attempt: number) =>
    (await call('PUT', `/members/${id}/kyc/${attempt}`, { step2 })).json().details.nextAttempt
  expect(await gap(7)).toBe(5)
  expect((await call('PUT', `/members/${id}/kyc/5`, { step2 })).json().outcome).toBe('created')
  expect([await gap(7), await gap(6)]).toEqual([5, 5])
  expect((await call('PUT', `/members/${id}/kyc/5`, { submit: true })).json().outcome).toBe('updated')
  expect((await call('PUT', `/members/${id}/kyc/6`, { submit: true })).json().outcome).toBe('created')
})

test("an approved member's further attempt is refused as approved, whatever its number", async () => {
  const { id } = await makeMember(server)
  const [submittedAt, decidedAt] = ['2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z']
  const decision = { result: 'approved', decidedAt }
  await createImporter(server)({ type: 'kyc', memberId: id, attempt: 1, step2, submit: true, submittedAt, decision })
  for (const attempt of [2, 3, 1000]) {
    const { code, details } = (await call('PUT', `/members/${id}/kyc/${attempt}`, { step2 })).json()
    expect([code, details]).toEqual(['member_approved', expect.objectContaining({ status: 'approved' })])
  }
})

test('a refused submission queues nothing (product 10.2)', async () => {
  const { id } = await makeMember(server)
  const step4 = { selfiePath: 'doc_of_another' }
  expect((await call('PUT', `/members/${id}/kyc/1`, { step4, submit: true })).statusCode).toBe(400)
  expect(await queued(id)).toEqual([])
})

test('an import never sends, also when a call says the same again (product 10.3)', async () => {
  const { id } = await makeMember(server)
  await createImporter(server)({ type: 'kyc', memberId: id, attempt: 1, step2, submit: true })
  expect((await call('PUT', `/members/${id}/kyc/1`, { step2, submit: true })).json()).toEqual({ outcome: 'unchanged' })
  expect(await queued(id)).toEqual([])
})

test('a submission of a time to come is refused by name, by call and by import alike (product 10.3)', async () => {
  const { id } = await makeMember(server)
  const submittedAt = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const late = { submit: true, submittedAt: submittedAt(6) }
  const reply = await call('PUT', `/members/${id}/kyc/1`, late)
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'submittedAt: must not be in the future'])
  const imported = await createImporter(server)({ type: 'kyc', memberId: id, attempt: 1, ...late })
  expect(imported.errors).toMatchObject([{ line: 1, message: 'submittedAt: must not be in the future' }])
  const near = await call('PUT', `/members/${id}/kyc/1`, { submit: true, submittedAt: submittedAt(4) })
  expect(near.json()).toEqual({ outcome: 'created' })
})
