import { expect, test } from 'vitest'
import { makeMember } from '#test/make.ts'
import { importer } from '#test/import.ts'
import { platformCaller } from '#test/platform-calls.ts'
import { startServer } from '#test/server.ts'

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const server = await startServer({
  KYC_WEBHOOK_URL: 'https://kyc.example/cases',
  KYC_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
})
const call = platformCaller(server)
const queued = (member: string) =>
  server.sql(`SELECT attempt_number, state FROM kyc_deliveries WHERE member_id = $1 ORDER BY attempt_number`, [member])
const statusOf = async (member: string) => (await call('GET', `/members/${member}`)).json().kyc.status

test('PRODUCT 4: a submitted case is handed to the queue with the call, once, and the member is submitted until it is taken', async () => {
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

test('PRODUCT 4: no call leaves out the next attempt, so that the last number cannot be used up by one', async () => {
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
  expect((await importer(server)(line(12), line(11), line(22), line(21))).errors).toEqual([
    { line: 1, message: next(12, 2)[1] },
    { line: 3, message: next(22, 12)[1] },
  ])
})

test('PRODUCT 4: a refused submission queues nothing', async () => {
  const { id } = await makeMember(server)
  const step4 = { selfiePath: 'doc_of_another' }
  expect((await call('PUT', `/members/${id}/kyc/1`, { step4, submit: true })).statusCode).toBe(400)
  expect(await queued(id)).toEqual([])
})

test('PRODUCT 4: an import never sends, also when a call says the same again', async () => {
  const { id } = await makeMember(server)
  await importer(server)({ type: 'kyc', memberId: id, attempt: 1, step2, submit: true })
  expect((await call('PUT', `/members/${id}/kyc/1`, { step2, submit: true })).json()).toEqual({ outcome: 'unchanged' })
  expect(await queued(id)).toEqual([])
})

test('PRODUCT 4: a submission of a time to come is refused by name, by call and by import alike', async () => {
  const { id } = await makeMember(server)
  const submittedAt = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const late = { submit: true, submittedAt: submittedAt(6) }
  const reply = await call('PUT', `/members/${id}/kyc/1`, late)
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'submittedAt: must not be in the future'])
  const imported = await importer(server)({ type: 'kyc', memberId: id, attempt: 1, ...late })
  expect(imported.errors).toEqual([{ line: 1, message: 'submittedAt: must not be in the future' }])
  const near = await call('PUT', `/members/${id}/kyc/1`, { submit: true, submittedAt: submittedAt(4) })
  expect(near.json()).toEqual({ outcome: 'created' })
})
