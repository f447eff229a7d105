import { expect, test } from 'vitest'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import { inTransaction } from '#server/core/context.ts'
import { startServer } from '#test/support/server.ts'
import { readCommand } from './admin-commands.ts'

const server = await startServer({
  PLATFORM_WEBHOOK_URL: 'https://platform.example/hooks/top-secret',
  PLATFORM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
})
const { system } = server
const sql: typeof server.sql = (text, values) => server.sql(text, values)
const events = (...words: string[]) => readCommand(['events', ...words])!(system)

await inTransaction(system, (tx) =>
  enqueueEvent(
    tx,
    system,
    platformEvent('member.unbanned', { id: 'm-1', version: 2, data: { memberId: 'm-1', membershipId: null } }),
  ),
)
const [event] = await sql<{ message_id: string; created_at: Date }>(
  `SELECT message_id, created_at FROM messages WHERE channel = 'platform'`,
)

test('events status shows address, backlog and dead letters without secrets', async () => {
  expect(await events('status')).toBe(
    `Endpoint   platform.example\nPaused     no\nWaiting    1, the oldest since ${event!.created_at.toISOString()}\nGiven up   0`,
  )
})

test('events resume sends events again after a 410 (product 10.4)', async () => {
  await sql(`UPDATE platform_endpoints SET paused_at = '2026-01-05T09:00:00Z'`)
  expect(await events('status')).toContain('Paused     since 2026-01-05T09:00:00.000Z: it answered 410')
  expect(await events('resume')).toBe('Events go out again; they were paused since 2026-01-05T09:00:00.000Z.')
  await expect(events('resume')).rejects.toThrow('Events are not paused, so there is nothing to resume')
  expect(await sql(`SELECT details FROM audit_log WHERE action = 'resume_events'`)).toHaveLength(1)
})

test('events resend sends a dead letter again by its webhook-id', async () => {
  await sql(`UPDATE messages SET state = 'failed', tries = 10, next_try_at = NULL`)
  expect(await events('status')).toMatch(/Waiting {4}0\nGiven up {3}1$/)
  expect(await events('resend', event!.message_id.toUpperCase())).toBe('member.unbanned of m-1 is sent again.')
  expect(await sql(`SELECT state, tries FROM messages WHERE channel = 'platform'`)).toEqual([
    { state: 'waiting', tries: 0 },
  ])
  const [audit] = await sql(`SELECT details FROM audit_log WHERE action = 'resend_deliveries'`)
  expect(audit).toMatchObject({ details: { eventId: event!.message_id, type: 'member.unbanned' } })
  await sql(`UPDATE messages SET state = 'sending', lease_until = now() + interval '9 minutes'`)
  await expect(events('resend', event!.message_id)).rejects.toThrow('under way')
  for (const id of ['1', 'no', crypto.randomUUID(), '%'])
    await expect(events('resend', id)).rejects.toThrow('not found')
})

test('other words are no command', () => {
  expect(() => events('go')).toThrow('There is no command "events go"')
  for (const words of [
    ['status', 'x'],
    ['resume', 'x'],
    ['resend', 'a', 'b'],
  ])
    expect(() => events(...words)).toThrow('does not know what to do with')
  for (const words of [[], ['resend']]) expect(() => events(...words)).toThrow('needs one more word')
})
