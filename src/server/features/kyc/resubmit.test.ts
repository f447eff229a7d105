import { expect, test } from 'vitest'
import type { Analytics } from '#contract/schemas/analytics.ts'
import { pickCounts, createImporter, buildMemberLine as member } from '#test/support/import.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const send = createImporter(server)
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`
const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const kyc = (memberId: string, attempt: number, more: object = {}) => ({
  type: 'kyc',
  memberId,
  attempt,
  step2,
  submit: true,
  submittedAt: at(attempt),
  ...more,
})

/** Pending KYC on the dashboard, and the waiting verifications that it leads to. */
async function waiting() {
  const { pendingKyc } = (await ada('GET', '/api/analytics')).json<Analytics>()
  const { total } = (await ada('GET', '/api/kyc/verifications?status=pending')).json<{ total: number }>()
  return [pendingKyc, total]
}
const attemptsOf = (memberId: string) =>
  server.sql(
    `SELECT v.attempt_number AS attempt, v.status, s.result, st.status AS step, v.decided_by, v.version
     FROM kyc_verifications v JOIN kyc_submissions s USING (member_id, attempt_number)
     LEFT JOIN kyc_step2 st USING (member_id, attempt_number) WHERE v.member_id = $1 ORDER BY 1`,
    [memberId],
  )
const closed = { status: 'reset', result: 'pending', step: 'reset', decided_by: 'platform', version: 2 }
const open = { status: 'pending', result: 'under_review', step: 'submitted', decided_by: null, version: 1 }

test('a new attempt closes the one that still waits (product 5.2)', async () => {
  await send(member('r-1'), kyc('r-1', 1))
  expect(await waiting()).toEqual([1, 1])
  const [{ id }] = (await ada('GET', '/api/kyc/verifications')).json().verifications
  await ada('POST', `/api/kyc/cases/${id}/claim`)
  const drafted = await send(kyc('r-1', 2, { submit: false }))
  expect(pickCounts(drafted)).toMatchObject({ created: 1 })
  expect(await attemptsOf('r-1')).toEqual([{ attempt: 1, ...open }])
  await send(kyc('r-1', 2))
  expect(await attemptsOf('r-1')).toEqual([
    { attempt: 1, ...closed },
    { attempt: 2, ...open },
  ])
  expect(await waiting()).toEqual([1, 1])
  expect(await server.sql('SELECT * FROM kyc_claims')).toEqual([])
  const reply = await ada('POST', `/api/kyc/verifications/${id}/review`, { action: 'approve' })
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    'This case is already reset (set by platform on Jan 02, 2026 at 10:00 UTC)',
  ])
})

test('attempts of one import close one another as if sent one by one (product 10.3)', async () => {
  const before = await waiting()
  const lines = [
    member('r-2'),
    kyc('r-2', 1),
    kyc('r-2', 2),
    kyc('r-2', 3),
    member('r-3'),
    kyc('r-3', 1, { decision: { result: 'rejected', reason: 'Blurred', decidedAt: at(9) } }),
    kyc('r-3', 2),
    kyc('r-3', 3),
  ]
  await send(...lines)
  const stands = async () => [await attemptsOf('r-2'), await attemptsOf('r-3')]
  const expected = [
    [
      { attempt: 1, ...closed },
      { attempt: 2, ...closed },
      { attempt: 3, ...open },
    ],
    [
      { attempt: 1, ...closed, status: 'rejected', result: 'rejected', step: 'rejected' },
      { attempt: 2, ...closed },
      { attempt: 3, ...open },
    ],
  ]
  expect(await stands()).toEqual(expected)
  expect(await waiting()).toEqual(before.map((count) => count + 2))
  expect(pickCounts(await send(...lines))).toMatchObject({ unchanged: 8, refused: 0 })
  expect(await stands()).toEqual(expected)
})

test('a review beside a new attempt stands or is 409', async () => {
  for (let n = 0; n < 8; n++) {
    const memberId = `r-race-${n}`
    await send(member(memberId), kyc(memberId, 1))
    const [row] = await server.sql<{ id: string }>('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [
      memberId,
    ])
    const body = { action: 'reject', rejectionReason: 'Blurred' }
    const [reply] = await Promise.all([
      ada('POST', `/api/kyc/verifications/${row!.id}/review`, body),
      send(kyc(memberId, 2)),
    ])
    expect([200, 409]).toContain(reply.statusCode)
    const [first, second] = await attemptsOf(memberId)
    expect(first!.status).toBe(reply.statusCode === 200 ? 'rejected' : 'reset')
    expect(second).toEqual({ attempt: 2, ...open })
  }
  const [pendingKyc, total] = await waiting()
  expect(total).toBe(pendingKyc)
})

test('open consoles hear that KYC changed when the platform sends steps or a new name (product 3.4)', async () => {
  const heard: string[] = []
  const client = await server.services.database.pool.connect()
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('LISTEN changes')
  await send(member('r-live'))
  await send(kyc('r-live', 1))
  await send(kyc('r-live', 1))
  await server.sql("SELECT pg_notify('changes', 'end')")
  await expect.poll(() => heard.at(-1)).toBe('end')
  expect(heard.filter((lists) => lists.split(',').includes('kyc'))).toHaveLength(2)
  client.release(true)
})
