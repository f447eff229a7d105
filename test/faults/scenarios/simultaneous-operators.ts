import { Agent } from 'node:http'
import { type Answer, makeCall } from '#test/faults/call.ts'
import { History } from '#test/faults/history.ts'
import { startInstallation } from '#test/faults/installation.ts'
import { checkInstallation, type Scenario } from '#test/faults/scenario.ts'

const operators = 20

/** What each order has to show afterwards: one decision, one audit row, one event, one message. */
const decidedOrders = `
  SELECT count(*)::int AS orders FROM orders AS o
  WHERE order_number LIKE 'paid-%' AND version = 2 AND status IN ('paid', 'cancelled')
    AND (SELECT count(*) FROM audit_log AS a WHERE a.action = 'set_order_status' AND a.target_id = o.id::text) = 1
    AND (SELECT count(*) FROM platform_events AS e WHERE e.entity_type = 'order' AND e.entity_id = o.order_number AND e.type = 'order.' || o.status) = 1
    AND (SELECT count(*) FROM messages AS m WHERE m.entity_type = 'order' AND m.entity_id = o.order_number) = 1`

/** What is wrong about the answers to simultaneous decisions on one order. */
export function judgeRace(answers: readonly Pick<Answer, 'status' | 'code'>[]): string | undefined {
  const winners = answers.filter(({ status }) => status === 200).length
  if (winners !== 1) return `${winners} operators won`
  const odd = answers.find(({ status, code }) => status !== 200 && !(status === 409 && code === 'order_state'))
  return odd && `a loser was answered with ${odd.status} ${odd.code}`
}

/** All operators decide each order at the same moment, half of them to mark it paid, half to cancel it. */
export const simultaneousOperators: Scenario = {
  name: 'simultaneous-operators',
  title: `${operators} operators decide the same order at once`,
  rounds: 500,
  async run({ workspace, rounds }) {
    const installation = await startInstallation(workspace, { targets: rounds, operators })
    const agent = new Agent({ keepAlive: true, maxSockets: operators })
    try {
      const orders = await installation.query(async (client) => {
        const text = `SELECT id::text, order_number AS number FROM orders WHERE order_number LIKE 'paid-%' ORDER BY id`
        return (await client.query<{ id: string; number: string }>(text)).rows
      })
      const violations: string[] = []
      let winners = 0
      let refused = 0
      for (const { id, number } of orders) {
        const decide = (cookie: string, n: number) => {
          const body = JSON.stringify({ status: n % 2 === 0 ? 'paid' : 'cancelled', notes: `operator ${n}` })
          const headers = { cookie, 'content-type': 'application/json' }
          return makeCall(
            installation.origin,
            { method: 'PATCH', path: `/api/orders/${id}/status`, headers, body },
            { agent },
          )
        }
        const answers = await Promise.all(installation.cookies.map(decide))
        const fault = judgeRace(answers)
        if (fault) violations.push(`${number}: ${fault}`)
        winners += answers.filter(({ status }) => status === 200).length
        refused += answers.filter(({ status }) => status === 409).length
      }
      const checked = await checkInstallation(installation, new History())
      const { rows } = await installation.query((client) => client.query<{ orders: number }>(decidedOrders))
      if (rows[0]!.orders !== rounds) violations.push(`${rows[0]!.orders} of ${rounds} orders were decided once`)
      const figures = { orders: String(rounds), operators: String(operators), winners: String(winners) }
      const all = [...violations, ...checked.violations]
      return { rounds, recovery: [], figures, ...checked, acknowledged: winners, refused, violations: all }
    } finally {
      agent.destroy()
      await installation.close()
    }
  },
}
