import { beforeEach, describe, expect, test } from 'vitest'
import type { Message, MessageDetail, EventEndpoint } from '#contract/schemas/messages.ts'
import { foldListCounts } from '#test/support/make.ts'
import { atMinute as at, createMessageTables } from '#test/support/messages.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({
  PLATFORM_WEBHOOK_URL: 'https://shop.example/hooks/very-secret',
  PLATFORM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
})
const ada = server.as('ada')
const { event, attempt, sentCase, received, submitted, clear } = createMessageTables(server)
beforeEach(clear)

async function list(query = '') {
  const reply = await ada('GET', `/api/messages${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ messages: Message[]; total: number; totalExact: boolean; page: number; limit: number }>()
}
const idsOf = async (query = '') => (await list(query)).messages.map(({ id }) => id)
const detail = async (id: string) => (await ada('GET', `/api/messages/${id}`)).json<MessageDetail>()

describe('GET /api/messages', () => {
  test('events, cases and results are one list, newest first, each with its last try (product 10.2)', async () => {
    const member = await submitted()
    const [failed, sent] = [await event({ state: 'failed', minute: 1 }), await sentCase(member.id, { minute: 2 })]
    const came = await received({ memberId: member.id, minute: 3 })
    await attempt(failed, { number: 1, error: 'Timed out after 15 s', minute: 4 })
    await attempt(failed, { number: 2, status: 500, error: 'HTTP 500', minute: 5 })
    const { messages, ...rest } = await list()
    expect(rest).toEqual({ total: 3, totalExact: true, page: 1, limit: 50 })
    expect(messages.map(({ id }) => id)).toEqual([came, sent, failed])
    expect(messages[0]).toMatchObject({
      kind: 'result',
      direction: 'in',
      type: 'kyc.result',
      entityId: member.id,
      messageId: 'msg-1',
      state: 'applied',
      signature: 'valid',
      tries: 1,
      lastStatus: 200,
      lastNote: 'The member was approved',
      canResend: false,
    })
    expect(messages[1]).toMatchObject({ kind: 'case', type: 'kyc.submitted', attemptNumber: 1, canResend: true })
    expect(messages[2]).toEqual({
      id: failed,
      kind: 'event',
      endpointId: '1',
      endpoint: 'Platform',
      operator: null,
      direction: 'out',
      type: 'member.banned',
      entityType: 'member',
      entityId: 'm-1',
      attemptNumber: null,
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'failed',
      signature: null,
      tries: 2,
      lastStatus: 500,
      lastLatencyMs: 12,
      lastNote: 'HTTP 500',
      lastTriedAt: at(5),
      nextTryAt: null,
      isBlocked: false,
      isSuperseded: false,
      canResend: true,
      createdAt: at(1),
    })
  })

  test('kind and state filter with exact totals, folded or not (product 4.3, 4.5)', async () => {
    const member = await submitted()
    const [waiting, sending] = [
      await event({ minute: 1 }),
      await event({ minute: 2, state: 'sending', lease: '1 minute' }),
    ]
    const delivered = await event({ minute: 3, state: 'delivered', entity: ['order', 'ORD-1'] })
    const sent = await sentCase(member.id, { minute: 4, state: 'failed' })
    const refused = await received({ minute: 5, state: 'refused', signature: 'invalid' })
    for (const isFolded of [false, true]) {
      if (isFolded) await foldListCounts(server)
      expect(await list('?state=waiting')).toMatchObject({ total: 2 })
      expect(await idsOf('?state=waiting')).toEqual([sending, waiting])
      expect(await idsOf('?kind=event&state=delivered')).toEqual([delivered])
      expect(await idsOf('?state=failed')).toEqual([sent])
      expect(await idsOf('?kind=result')).toEqual([refused])
      expect(await idsOf('?state=refused')).toEqual([refused])
      expect(await list('?kind=case&state=refused')).toMatchObject({ total: 0, messages: [] })
      expect(await list('?page=2&limit=2')).toMatchObject({ total: 5, page: 2, limit: 2 })
    }
    expect(await idsOf('?page=2&limit=2')).toEqual([delivered, sending])
    const rows = (await list('?kind=event')).messages
    expect(rows.map(({ isBlocked, canResend }) => [isBlocked, canResend])).toEqual([
      [false, true],
      [false, false],
      [false, true],
    ])
  })

  test('an event that waits for an earlier one of its entity says so (product 7.8)', async () => {
    const [first, second] = [await event({ minute: 1 }), await event({ minute: 2 })]
    const other = await event({ minute: 3, entity: ['order', 'm-1'] })
    const blocked = Object.fromEntries((await list()).messages.map(({ id, isBlocked }) => [id, isBlocked]))
    expect(blocked).toEqual({ [first]: false, [second]: true, [other]: false })
  })

  test('an event is superseded once a later one of its entity was delivered', async () => {
    const [first, second, third] = [
      await event({ minute: 1, state: 'failed' }),
      await event({ minute: 2, state: 'delivered' }),
      await event({ minute: 3 }),
    ]
    const other = await event({ minute: 4, entity: ['order', 'm-1'] })
    const superseded = async () =>
      Object.fromEntries((await list()).messages.map(({ id, isSuperseded }) => [id, isSuperseded]))
    const expected = { [first]: true, [second]: false, [third]: false, [other]: false }
    expect(await superseded()).toEqual(expected)
    expect((await ada('POST', '/api/messages/resend', { ids: [second] })).statusCode).toBe(200)
    expect(await superseded()).toEqual(expected)
  })

  test('a search matches a whole id: member, order, token address or message', async () => {
    const member = await submitted()
    const address = `0x${'ab'.repeat(20)}`
    const created = await event({ entity: ['token', `earning/${address}`] })
    const sent = await sentCase(member.id, { minute: 1 })
    const came = await received({ memberId: member.id, minute: 2, id: 'evt_7%' })
    const [order, banned] = [
      await event({ entity: ['order', 'ORD-77'], minute: 3 }),
      await event({ entity: ['member', member.id], minute: 4 }),
    ]
    expect(await idsOf(`?search=%20${member.id}%20`)).toEqual([banned, came, sent])
    expect(await list(`?search=${member.id}&limit=1&page=2`)).toMatchObject({ total: 3, messages: [{ id: came }] })
    expect(await idsOf(`?search=${member.id}&kind=case`)).toEqual([sent])
    expect(await idsOf('?search=ORD-77')).toEqual([order])
    expect(await idsOf('?search=ORD-7')).toEqual([])
    expect(await idsOf('?search=evt_7%25')).toEqual([came])
    expect(await idsOf(`?search=${address.toUpperCase().replace('0X', '0x')}`)).toEqual([created])
    const { messageId } = await detail(sent)
    expect(await idsOf(`?search=${messageId}`)).toEqual([sent])
    expect(await idsOf(`?search=${(await detail(order)).messageId?.toUpperCase()}`)).toEqual([order])
  })
})

describe('GET /api/messages/:id', () => {
  test('an event has its body as it is sent, and its tries newest first', async () => {
    const id = await event({ state: 'delivered', minute: 1 })
    await attempt(id, { number: 1, error: 'Timed out', minute: 2 })
    await attempt(id, { number: 2, status: 204, minute: 3 })
    const { body, attempts } = await detail(id)
    expect(JSON.parse(body!)).toEqual({
      type: 'member.banned',
      timestamp: at(1),
      entity: { type: 'member', id: 'm-1' },
      sequence: 1,
      version: 1,
      data: { memberId: 'm-1', reason: 'Fraud' },
    })
    expect(attempts.map(({ tryNumber, success, errorMessage }) => [tryNumber, success, errorMessage])).toEqual([
      [2, true, null],
      [1, false, 'Timed out'],
    ])
    expect(attempts[0]).toMatchObject({ httpStatus: 204, latencyMs: 12, startedBy: 'queue', createdAt: at(3) })
  })

  test('a case shows what the provider receives, without identity', async () => {
    const member = await submitted()
    const { body } = await detail(await sentCase(member.id))
    expect(JSON.parse(body!)).toMatchObject({
      type: 'kyc.submitted',
      userId: member.id,
      nationality: 'PT',
      email: '[redacted]',
      legalFirstName: '[redacted]',
      dateOfBirth: '[redacted]',
    })
    expect(body).not.toMatch(/Lima|1991|@/)
    expect(await detail(await received())).toMatchObject({ body: '{"result":"approved"}', attempts: [] })
  })

  test('an id of whatever shape that names none is 404 (product 8.5)', async () => {
    const known = await event()
    const ids = [String(Number(known) + 1), '4', '0', '-1', 'x', '9'.repeat(18), '9'.repeat(40), '%00', '1.5', 'resend']
    for (const id of ids) {
      const reply = await ada('GET', `/api/messages/${id}`)
      expect(reply.statusCode, id).toBe(404)
      expect(reply.json().code).toBe('not_found')
    }
  })
})

test("the endpoint's host alone is told, with what waits for it and since when", async () => {
  await event({ minute: 7 })
  await event({ minute: 5, state: 'sending', lease: '1 minute' })
  await event({ minute: 1, state: 'delivered' })
  const reply = await ada('GET', '/api/messages/endpoint')
  expect(reply.json<EventEndpoint>()).toEqual({
    host: 'shop.example',
    pausedAt: null,
    waiting: 2,
    oldestWaitingAt: at(5),
    failed: 0,
  })
})

test('failed events are counted, and one sent again waits since then (product 7.8)', async () => {
  const endpoint = async () => (await ada('GET', '/api/messages/endpoint')).json<EventEndpoint>()
  const id = await event({ state: 'failed', minute: 1, tries: 2 })
  await event({ state: 'failed', minute: 2 })
  for (const number of [1, 2]) await attempt(id, { number, error: 'Timed out', minute: 2 + number })
  expect(await endpoint()).toMatchObject({ waiting: 0, failed: 2, oldestWaitingAt: null })
  const readClock = async () => (await server.sql<{ now: Date }>('SELECT now()'))[0]!.now.getTime()
  const begun = await readClock()
  expect((await ada('POST', '/api/messages/resend', { ids: [id] })).statusCode).toBe(200)
  const { failed, oldestWaitingAt } = await endpoint()
  expect(failed).toBe(1)
  expect(Date.parse(oldestWaitingAt!)).toBeGreaterThanOrEqual(begun)
  expect(Date.parse(oldestWaitingAt!)).toBeLessThanOrEqual(await readClock())

  await attempt(id, { number: 3, error: 'Timed out', minute: 5 })
  await attempt(id, { number: 4, error: 'Timed out', minute: 6 })
  await server.sql(`UPDATE messages SET tries = 2, next_try_at = now() + interval '1 hour' WHERE id = $1`, [id])
  expect(await endpoint()).toMatchObject({ oldestWaitingAt: at(5) })
  await event({ minute: 3 })
  expect(await endpoint()).toMatchObject({ waiting: 2, oldestWaitingAt: at(3) })
})
