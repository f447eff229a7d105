import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operatorMoves, orderMoves, orderStatuses, orderStatusLabels, paymentMoves } from '#contract/order-moves.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const platform = createPlatformCaller(server)
const { id: memberId } = await makeMember(server)
type ChangeCase = Awaited<ReturnType<typeof makeOrder>>

/** Who may ask for a move, and how they do. */
const asks = {
  operator: ({ id }: ChangeCase, to: string) => ada('PATCH', `/api/orders/${id}/status`, { status: to, notes: 'Why' }),
  platform: ({ orderNumber }: ChangeCase) => platform('POST', `/orders/${orderNumber}/complete`),
  system: () => runJob(server.services, 'expire-orders'),
}
const moverNames = { operator: 'ada', platform: 'platform:PLATFORM_API_KEY', system: 'system' }

const traces = async ({ id, orderNumber }: ChangeCase) => ({
  row: (await server.sql('SELECT * FROM orders WHERE id = $1', [id]))[0]!,
  audit: await server.sql(
    `SELECT action, actor_name, audit_details(id, details) AS details FROM audit_log
     WHERE target_type = 'order' AND target_id = $1 AND action <> 'platform_call'`,
    [id],
  ),
  events: await server.sql(`SELECT type, entity_id, version, payload FROM platform_events WHERE entity_id = $1`, [
    orderNumber,
  ]),
})

const moves = orderStatuses.map((to) => ({ to, ...orderMoves[to] }))
/** What else an order that an operator marked paid has. */
const byHand = (status: string) => (status === 'paid' ? { paidVia: 'hand' as const } : {})
const pairs = orderStatuses.flatMap((from) => moves.map((move) => [from, move.to, move] as const))

test.each(pairs)('from %s to %s is as the table of moves says (product 7.4)', async (from, to, move) => {
  const isAllowed = move.from.some((status) => status === from)
  const expiresAt = new Date(Date.now() + (move.by === 'system' ? -1000 : 86_400_000)).toISOString()
  const made = await makeOrder(server, memberId, { status: from, ...byHand(from), expiresAt, version: 4 })
  const reply = await asks[move.by](made, to)
  const { row, audit, events } = await traces(made)
  if (!isAllowed) {
    const refusal = { code: 'order_state', message: `This order is ${orderStatusLabels[from].toLowerCase()}` }
    if (reply) expect([reply.statusCode, reply.json()]).toMatchObject([409, refusal])
    expect({ row, audit, events }).toMatchObject({ row: { status: from, version: 4 }, audit: [], events: [] })
    return
  }
  if (reply) expect(reply.statusCode, reply.body).toBe(200)
  expect(row).toMatchObject({ status: to, version: 5, status_changed_by: moverNames[move.by] })
  expect(row.paid_at !== null).toBe('stamp' in move && move.stamp === 'paidAt')
  expect(row.completed_at !== null).toBe('stamp' in move && move.stamp === 'completedAt')
  const details = { orderNumber: made.orderNumber, before: { status: from }, after: { status: to } }
  expect(audit).toMatchObject([{ action: move.action, actor_name: moverNames[move.by], details }])
  const data = { orderNumber: made.orderNumber, memberId, status: to }
  expect(events).toMatchObject(
    move.event === null ? [] : [{ type: move.event, entity_id: made.orderNumber, version: 5, payload: data }],
  )
})

test('no operator makes a move of the platform or the system, from whichever status (product 7.4)', async () => {
  const others = orderStatuses.filter((to) => !operatorMoves.some((known) => known === to))
  for (const from of orderStatuses)
    for (const to of others) {
      const made = await makeOrder(server, memberId, { status: from })
      const reply = await asks.operator(made, to)
      expect([reply.statusCode, reply.json().message]).toEqual([
        400,
        'status: must be one of waiting_payment, paid, cancelled',
      ])
      expect((await traces(made)).row).toMatchObject({ status: from, version: 1 })
    }
})

test('a move that needs a reason is refused without one, in its own words (product 9.5)', async () => {
  for (const to of operatorMoves) {
    const { refusal } = orderMoves[to].notes
    const from = orderMoves[to].from[0]
    const made = await makeOrder(server, memberId, { status: from, ...byHand(from) })
    const reply = await ada('PATCH', `/api/orders/${made.id}/status`, { status: to, notes: ' ' })
    if (refusal === null) expect(reply.statusCode).toBe(200)
    else expect([reply.statusCode, reply.json().message]).toEqual([400, refusal])
  }
})

test('the specification’s table of moves is that of the contract (product 7.4)', async () => {
  const states = await readFile(join(import.meta.dirname, '../../../../docs/product/7-states.md'), 'utf8')
  const [, orders = ''] = /## 7\.4 Orders\n(.*?)\n## /s.exec(states) ?? []
  const lines = orders.matchAll(/^\| `(\w+)` \| `(\w+)` \| (\w+).*$/gm)
  const written = Array.from(lines, ([, from, to, by]) => `${from} > ${to}, ${by}`)
  const byBank = Object.entries(paymentMoves).map(([to, { from }]) => ({ from, to, by: 'bank' }))
  const known = [...moves, ...byBank].flatMap(({ from, to, by }) => from.map((status) => `${status} > ${to}, ${by}`))
  expect(written.toSorted()).toEqual(known.toSorted())
})
