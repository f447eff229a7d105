import { expect, test } from 'vitest'
import { createImporter, buildMemberLine } from '#test/support/import.ts'
import { makeMember } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const send = createImporter(server)
const { id: memberId } = await makeMember(server)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const inDays = (days: number) => inMinutes(days * 24 * 60)
const [early, late] = ['2025-01-05T09:00:00.000Z', '2025-01-06T09:00:00.000Z']

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const member = (more: object) => buildMemberLine('h-1', more)
const wallet = (createdAt: string) => ({ type: 'wallet', memberId, address: `0x${'ab'.repeat(20)}`, createdAt })
const kyc = (more: object) => ({ type: 'kyc', memberId, attempt: 1, ...more })
const approval = (decidedAt: string) =>
  kyc({ step2, submit: true, submittedAt: early, decision: { result: 'approved', decidedAt } })
const order = (more: object) => ({ type: 'order', orderNumber: 'H-1', ...buildOrderBody(memberId), ...more })
const completed = { status: 'completed', createdAt: early, paidAt: early, completedAt: late }
const movement = (createdAt: string) => ({
  type: 'transaction',
  id: 'h-t',
  memberId,
  kind: 'deposit',
  amount: '1',
  status: 'completed',
  createdAt,
})

const future = 'must not be in the future'
test.each<[line: object, message: string]>([
  [member({ createdAt: inMinutes(6) }), `createdAt: ${future}`],
  [wallet(inMinutes(6)), `createdAt: ${future}`],
  [kyc({ step2: { ...step2, dateOfBirth: inDays(2).slice(0, 10) } }), `step2.dateOfBirth: ${future}`],
  [approval(inMinutes(6)), `decision.decidedAt: ${future}`],
  [order({ ...completed, createdAt: inMinutes(6) }), `createdAt: ${future}`],
  [order({ ...completed, paidAt: inMinutes(6) }), `paidAt: ${future}`],
  [order({ ...completed, completedAt: inMinutes(6) }), `completedAt: ${future}`],
  [movement(inMinutes(6)), `createdAt: ${future}`],
  [order({ ...completed, createdAt: late }), `paidAt: must not be before createdAt, ${late}`],
  [
    order({ ...completed, createdAt: early, paidAt: late, completedAt: early }),
    'completedAt: must not be before paidAt',
  ],
  [
    order({ ...completed, createdAt: late, paidAt: undefined, completedAt: early }),
    'completedAt: must not be before createdAt',
  ],
  [order({ ...completed, createdAt: undefined }), 'createdAt: is needed beside another status'],
  [order({ status: 'completed', completedAt: late }), 'createdAt: is needed beside another status'],
  [order({ status: 'paid' }), 'createdAt: is needed beside another status'],
  [order({ expiresAt: early }), 'expiresAt: must not be before createdAt'],
  [order({ createdAt: late, expiresAt: early }), `expiresAt: must not be before createdAt, ${late}`],
  [order({ status: 'expired', createdAt: early, expiresAt: inDays(2) }), 'expiresAt: must not be after now'],
  [member({ legalFirstName: '  ' }), 'legalFirstName: must not be blank'],
  [member({ legalLastName: '\u00a0' }), 'legalLastName: must not be blank'],
  [member({ legalFirstName: '\u200b' }), 'legalFirstName: must not be blank'],
  [member({ legalFirstName: '\u3164\u2800' }), 'legalFirstName: must not be blank'],
  [order({ projectName: '\ufe0f\u0301' }), 'projectName: must not be blank'],
  [kyc({ step2: { ...step2, nationality: ' ' } }), 'step2.nationality: must not be blank'],
  [order({ projectName: ' ' }), 'projectName: must not be blank'],
])('an impossible line %# is refused by its field', async (line, message) => {
  const { refused, errors } = await send(line)
  expect([refused, errors]).toMatchObject([1, [{ code: 'invalid', message: expect.stringContaining(message) }]])
})

test('what is over by a clock that runs minutes ahead is taken', async () => {
  const now = inMinutes(4)
  const lines = [
    buildMemberLine('h-2', { createdAt: now }),
    order({ ...completed, paidAt: now, completedAt: now }),
    movement(now),
  ]
  expect(await send(...lines)).toMatchObject({ created: 3, refused: 0 })
})

test('a history that leaves instants out is taken', async () => {
  const lines = [
    order({ orderNumber: 'H-3', status: 'paid', createdAt: early }),
    order({ orderNumber: 'H-4', status: 'completed', createdAt: early }),
    order({ orderNumber: 'H-5', status: 'cancelled', createdAt: early, notes: 'Twice' }),
  ]
  expect(await send(...lines)).toMatchObject({ created: 3, refused: 0 })
})

test('calls refuse the same, and an empty name still clears', async () => {
  const put = async (path: string, body: object) => {
    const reply = (await call('PUT', path, body)).json()
    return reply.outcome ?? reply.message
  }
  const email = 'h-6@example.com'
  expect(await put('/members/h-6', { email, createdAt: inMinutes(6) })).toBe(`createdAt: ${future}`)
  expect(await put('/members/h-6', { email, legalFirstName: ' ' })).toBe('legalFirstName: must not be blank')
  expect(await put('/members/h-6', { email, legalFirstName: 'Ana' })).toBe('created')
  expect(await put('/members/h-6', { email, legalFirstName: '' })).toBe('updated')
  const born = { step2: { ...step2, dateOfBirth: inDays(2).slice(0, 10) } }
  expect(await put('/members/h-6/kyc/1', born)).toBe(`step2.dateOfBirth: ${future}`)
  const over = { ...buildOrderBody('h-6'), createdAt: late, expiresAt: early }
  expect(await put('/orders/H-6', over)).toBe(`expiresAt: must not be before createdAt, ${late}`)
})

test('an update keeps an order from expiring before it was made', async () => {
  const body = buildOrderBody(memberId, { createdAt: late })
  expect((await call('PUT', '/orders/H-7', body)).json()).toMatchObject({ outcome: 'created' })
  const refusals = [
    [{ expiresAt: early }, `expiresAt: must not be before createdAt, ${late}`],
    [{ createdAt: early, expiresAt: '2025-01-04T09:00:00.000Z' }, `expiresAt: must not be before createdAt, ${early}`],
  ] as const
  for (const [change, message] of refusals) {
    const reply = await call('PUT', '/orders/H-7', { ...body, ...change })
    expect([reply.statusCode, reply.json().message]).toEqual([400, message])
    expect((await send(order({ orderNumber: 'H-7', ...body, ...change }))).errors[0]).toMatchObject({ message })
  }
  const [kept] = await server.sql(`SELECT status, expires_at, version FROM orders WHERE order_number = 'H-7'`)
  expect(kept).toMatchObject({ status: 'waiting_payment', version: 1 })
})
