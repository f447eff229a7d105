import { expect, test } from 'vitest'
import { createImporter } from '#test/support/import.ts'
import { makeMember } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const send = createImporter(server)
const ban = (id: string) => server.as('ada')('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })

test("a banned member's new order is refused, a repeated one is not", async () => {
  const { id } = await makeMember(server)
  expect((await call('PUT', '/orders/B-1', buildOrderBody(id))).statusCode).toBe(200)
  await ban(id)
  const refused = await call('PUT', '/orders/B-2', buildOrderBody(id))
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'member_banned'])
  expect((await call('PUT', '/orders/B-1', buildOrderBody(id))).json()).toMatchObject({ outcome: 'unchanged' })
  expect((await call('PUT', '/orders/B-1', buildOrderBody(id, { projectName: 'Wind' }))).json()).toMatchObject({
    outcome: 'updated',
  })
  expect(await server.sql(`SELECT FROM orders WHERE order_number = 'B-2'`)).toEqual([])
})

test("a banned member's order history is imported without unpaid orders", async () => {
  const { id } = await makeMember(server, { banned: true })
  const line = (orderNumber: string, more: object) => ({ type: 'order', orderNumber, ...buildOrderBody(id), ...more })
  const result = await send(
    line('B-3', { status: 'paid', createdAt: '2026-01-05T08:00:00Z', paidAt: '2026-01-05T09:00:00Z' }),
    line('B-4', {}),
  )
  expect(result).toMatchObject({ created: 1, refused: 1, errors: [{ line: 2, code: 'member_banned' }] })
})

test('a new order waits for a ban that is under way, and is refused once it stands', async () => {
  const { id } = await makeMember(server)
  const banning = await server.services.database.pool.connect()
  await banning.query('BEGIN')
  await banning.query('SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE', [id])
  const asked = call('PUT', '/orders/B-5', buildOrderBody(id))
  await expect
    .poll(() =>
      server.sql(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`),
    )
    .toHaveLength(1)
  await banning.query(
    `UPDATE members SET banned = true, banned_reason = 'Fraud', banned_by = 'ada', banned_at = now() WHERE id = $1`,
    [id],
  )
  await banning.query('COMMIT')
  banning.release()
  expect((await asked).json()).toMatchObject({ code: 'member_banned' })
})
