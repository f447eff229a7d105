import { beforeEach, expect, test } from 'vitest'
import { createHistoryHeaders, createImporter, importUrl, buildMemberLine } from '#test/support/import.ts'
import { buildOrderBody } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const send = createImporter(server)
const dryRun = async (...lines: object[]) =>
  (
    await server.as(null)(
      'POST',
      `${importUrl}?dryRun=true`,
      lines.map((line) => JSON.stringify(line)).join('\n'),
      await createHistoryHeaders(server),
    )
  ).json()

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`
const kyc = (memberId: string, more: object = {}) => ({
  type: 'kyc',
  memberId,
  attempt: 1,
  step2,
  submit: true,
  submittedAt: at(2),
  ...more,
})
const approved = { decision: { result: 'approved', decidedAt: at(3) } }
const order = (orderNumber: string, memberId: string, more: object = {}) => ({
  type: 'order',
  orderNumber,
  ...buildOrderBody(memberId),
  ...more,
})
const codes = ({ errors }: { errors: { line: number; code: string }[] }) => errors.map(({ line, code }) => [line, code])
const events = () =>
  server.sql<{ details: object }>(
    `SELECT severity, description, details FROM security_events WHERE event_type = 'import_decision_refused' ORDER BY id`,
  )
/** As if a minute had passed, so that the next refusal is an event of its own. */
const passMinute = () => server.sql(`UPDATE security_events SET created_at = created_at - interval '1 minute'`)
beforeEach(passMinute)
const statusOf = async (id: string) =>
  (await server.sql('SELECT kyc_status AS status FROM members WHERE id = $1', [id]))[0]!.status

test('a decision on a waiting attempt is refused with a high security event', async () => {
  await send(buildMemberLine('w-1'), kyc('w-1'))
  const lines = [kyc('w-1', approved), { type: 'kyc', memberId: 'w-1', attempt: 1, ...approved }]
  const result = await send(...lines)
  expect(codes(result)).toEqual([
    [1, 'decision_waits_here'],
    [2, 'decision_waits_here'],
  ])
  expect(result.errors[0]!.message).toBe('decision: attempt 1 waits for an operator here, who decides it')
  expect(await statusOf('w-1')).toBe('under_review')
  expect(await events()).toEqual([
    {
      severity: 'high',
      description:
        'An import of the key move-in carried decisions on 2 KYC attempts and orders that wait for an operator here; refused',
      details: { actor: 'move-in', imports: 1, count: 2, firstLine: 1 },
    },
  ])
})

test('a later attempt that comes decided does not get past the one that waits here', async () => {
  await send(buildMemberLine('w-2'), kyc('w-2'))
  expect(codes(await send(kyc('w-2', { attempt: 2, submittedAt: at(3), ...approved })))).toEqual([
    [1, 'decision_waits_here'],
  ])
  expect(await statusOf('w-2')).toBe('under_review')
})

test('an attempt that comes with its decision is taken', async () => {
  await send(buildMemberLine('w-3'), { ...kyc('w-3'), submit: undefined, submittedAt: undefined })
  const rejected = { decision: { result: 'rejected', reason: 'Blurred', decidedAt: at(3) } }
  const lines = [
    kyc('w-3', rejected),
    kyc('w-3', { attempt: 2, submittedAt: at(4), decision: { result: 'approved', decidedAt: at(5) } }),
    buildMemberLine('w-4'),
    kyc('w-4', approved),
  ]
  expect(codes(await send(...lines))).toEqual([])
  expect(await send(...lines)).toMatchObject({ unchanged: 4, refused: 0 })
  expect([await statusOf('w-3'), await statusOf('w-4')]).toEqual(['approved', 'approved'])
})

test('an attempt that an earlier line of the same import handed in waits here as well', async () => {
  expect(codes(await send(buildMemberLine('w-5'), kyc('w-5'), kyc('w-5', approved)))).toEqual([
    [3, 'decision_waits_here'],
  ])
})

test('a history is refused for a waiting order and taken for an unknown one', async () => {
  const paid = { status: 'paid', paidAt: at(5) }
  await send(buildMemberLine('w-6'), order('ORD-w', 'w-6'), order('ORD-h', 'w-6', { ...paid, createdAt: at(4) }))
  const lines = [
    order('ORD-w', 'w-6', paid),
    order('ORD-w', 'w-6', { status: 'completed', paidAt: at(5), completedAt: at(6) }),
    order('ORD-w', 'w-6', { status: 'cancelled', notes: 'Gone' }),
    order('ORD-w', 'w-6', { paidAt: at(5) }),
    order('ORD-h', 'w-6', paid),
  ]
  expect(codes(await send(...lines))).toEqual([
    [1, 'decision_waits_here'],
    [2, 'decision_waits_here'],
    [3, 'decision_waits_here'],
    [4, 'decision_waits_here'],
  ])
  expect(
    await server.sql(`SELECT order_number AS number, status FROM orders WHERE member_id = 'w-6' ORDER BY 1`),
  ).toEqual([
    { number: 'ORD-h', status: 'paid' },
    { number: 'ORD-w', status: 'waiting_payment' },
  ])
})

test('a dry run refuses the same lines and writes no security event', async () => {
  await send(buildMemberLine('w-7'), kyc('w-7'), order('ORD-7', 'w-7'))
  const before = await events()
  const lines = [kyc('w-7', approved), order('ORD-7', 'w-7', { status: 'paid', paidAt: at(5) })]
  const rehearsed = await dryRun(...lines)
  expect(codes(rehearsed)).toEqual([
    [1, 'decision_waits_here'],
    [2, 'decision_waits_here'],
  ])
  expect(await events()).toEqual(before)
  expect(await send(...lines)).toEqual(rehearsed)
})

test('a long import of such lines writes one security event that counts them all', async () => {
  await send(buildMemberLine('w-8'), kyc('w-8'))
  const before = await events()
  await send(...Array.from({ length: 1200 }, () => kyc('w-8', approved)))
  const after = await events()
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)!.details).toMatchObject({ count: 1200, firstLine: 1 })
})

test('many imports of one key in a minute write one security event', async () => {
  await send(buildMemberLine('w-9'), kyc('w-9'))
  const before = await events()
  for (let n = 0; n < 3; n++) await send(buildMemberLine('w-9'), kyc('w-9', approved))
  await Promise.all(Array.from({ length: 5 }, () => send(kyc('w-9', approved))))
  expect((await events()).slice(before.length)).toEqual([
    {
      severity: 'high',
      description:
        '8 imports of the key move-in carried decisions on 8 KYC attempts and orders that wait for an operator here; refused',
      details: { actor: 'move-in', imports: 8, count: 8, firstLine: 2 },
    },
  ])
  await passMinute()
  await send(kyc('w-9', approved))
  expect(await events()).toHaveLength(before.length + 2)
})

test('what comes after an operator has resolved the event is an event of its own', async () => {
  await send(buildMemberLine('w-10'), kyc('w-10'), kyc('w-10', approved))
  const before = await events()
  await server.sql(`UPDATE security_events SET resolved_at = now(), resolved_by = 'ada' WHERE resolved_at IS NULL`)
  await send(kyc('w-10', approved))
  expect((await events()).slice(before.length)).toMatchObject([{ details: { imports: 1, count: 1 } }])
})
