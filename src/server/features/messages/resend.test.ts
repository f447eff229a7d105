import { beforeEach, describe, expect, test } from 'vitest'
import type { MessageDetail, Resent } from '#contract/schemas/messages.ts'
import { createMessageTables } from '#test/support/messages.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const { event, sentCase, received, submitted, clear } = createMessageTables(server)
const detail = async (id: string) => (await ada('GET', `/api/messages/${id}`)).json<MessageDetail>()
const resend = (body: unknown) => ada('POST', '/api/messages/resend', body)

let auditedBefore: string
const audited = () =>
  server.sql(`SELECT actor_name, details FROM audit_log WHERE action = 'resend_deliveries' AND id > $1 ORDER BY id`, [
    auditedBefore,
  ])
beforeEach(async () => {
  await clear()
  const [last] = await server.sql<{ id: string | null }>('SELECT max(id)::text AS id FROM audit_log')
  auditedBefore = last?.id ?? '0'
})

describe('POST /api/messages/resend', () => {
  const stored = (id: string) =>
    server.sql(`SELECT state, tries, next_try_at <= clock_timestamp() AS due FROM messages WHERE id = $1`, [id])

  test('the selected messages are sent again, without incoming and running ones (product 6.9)', async () => {
    const member = await submitted()
    const [dead, done] = [await event({ state: 'failed', tries: 10 }), await event({ state: 'delivered', tries: 1 })]
    const busy = await event({ state: 'sending', lease: '1 minute', tries: 3 })
    const sent = await sentCase(member.id, { state: 'failed', tries: 6 })
    const before = await detail(sent)
    const ids = [dead, done, busy, sent, await received(), '999999', dead]
    const reply = await resend({ ids })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json<Resent>()).toEqual({ queued: 3, skipped: 3, message: expect.stringMatching(/^3 messages/) })
    for (const id of [dead, done, sent]) expect(await stored(id)).toEqual([{ state: 'waiting', tries: 0, due: true }])
    expect(await stored(busy)).toMatchObject([{ state: 'sending', tries: 3 }])
    // A case that is sent again is another message; an event stays the one it was.
    expect((await detail(sent)).messageId).not.toBe(before.messageId)
    expect(await audited()).toEqual([{ actor_name: 'ada', details: { chosen: 7, events: 2, cases: 1, skipped: 3 } }])
  })

  test('a waiting case is sent sooner under its own id (product 11.1)', async () => {
    const [waits, decided] = [await submitted(), await submitted()]
    const [waiting, closed] = [
      await sentCase(waits.id, { state: 'waiting', tries: 2 }),
      await sentCase(decided.id, { state: 'failed' }),
    ]
    await server.sql(`UPDATE kyc_submissions SET result = 'approved' WHERE member_id = $1`, [decided.id])
    const before = await detail(waiting)
    expect((await detail(closed)).canResend).toBe(false)
    expect((await resend({ ids: [waiting, closed] })).json()).toMatchObject({ queued: 1, skipped: 1 })
    expect((await detail(waiting)).messageId).toBe(before.messageId)
    expect(await stored(waiting)).toEqual([{ state: 'waiting', tries: 2, due: true }])
    expect(await stored(closed)).toMatchObject([{ state: 'failed' }])
  })

  test('nothing to send again is 409 that says why, and leaves no trace (product 8.5)', async () => {
    const busy = await event({ state: 'sending', lease: '1 minute' })
    for (const [body, why] of [
      [{ ids: [await received()] }, 'only what went out can be sent again'],
      [{ ids: [busy] }, 'being sent now'],
    ] as const) {
      const reply = await resend(body)
      expect(reply.statusCode, reply.body).toBe(409)
      expect(reply.json().message).toContain(why)
    }
    expect(await audited()).toEqual([])
  })

  test('a malformed wish is 400 that names what is wrong (product 8.5)', async () => {
    const bodies = [
      undefined,
      {},
      { ids: [] },
      { ids: ['x'] },
      { ids: Array.from({ length: 1001 }, (_, index) => String(index + 1)) },
      { filter: {} },
      { filter: {}, ids: ['5'] },
    ]
    for (const body of bodies) {
      const reply = await resend(body)
      expect(reply.statusCode, JSON.stringify(body)).toBe(400)
      expect(reply.json()).toMatchObject({ code: 'invalid', message: expect.stringMatching(/\w/) })
    }
  })
})
