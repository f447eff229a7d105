import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeCall } from '#test/faults/call.ts'
import { type Scenario, waitForChanges, waitForRecovery, waitUntil } from '#test/faults/scenario.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'

const day = 86_400_000
/** Hours ahead and behind, and right again. */
const offsets = [2 * day, -2 * day, 0]

/** An order that expires in a second by the clock of the database, and one of tomorrow. */
async function addOrders(client: pg.Client, round: number) {
  for (const [name, after] of [
    ['due', '1 second'],
    ['open', '1 day'],
  ])
    await client.query(
      `INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, expires_at,
         bank_name, account_holder, account_number, iban, swift, payment_instructions)
       VALUES ($1, 'buyer-1', 'p-1', 'Solar Park', 100.00, 'EUR', now() + $2::interval, '', '', '', '', '', '')`,
      [`clock-${name}-${round}`, after],
    )
}

const readStatus = async (client: pg.Client, number: string) =>
  (await client.query<{ status: string }>('SELECT status FROM orders WHERE order_number = $1', [number])).rows[0]!
    .status

/** Sessions and expiry go by the clock of the database. Messages and sealing do too, or there would be no end to wait for. */
async function checkClockwork({ installation }: Load, round: number): Promise<string[]> {
  const faults: string[] = []
  const agent = new Agent()
  const headers = { cookie: installation.cookies[0]! }
  const user = await makeCall(installation.origin, { method: 'GET', path: '/api/auth/user', headers }, { agent })
  agent.destroy()
  if (user.status !== 200) faults.push(`a session was answered with ${user.status}`)
  await installation.query(async (client) => {
    await addOrders(client, round)
    const isExpired = async () => (await readStatus(client, `clock-due-${round}`)) === 'expired'
    await waitUntil('an order that was due expires', isExpired, 45).catch((error: Error) => faults.push(error.message))
    if ((await readStatus(client, `clock-open-${round}`)) !== 'waiting_payment')
      faults.push('an order expired too early')
  })
  return faults
}

const wrongTimes = `SELECT count(*)::int AS count FROM audit_log WHERE abs(extract(epoch FROM created_at - now())) > 600`

/** The clock of the server jumps under changes, that of the database does not. */
export const jumpingClock: Scenario = {
  name: 'jumping-clock',
  title: 'the clock of the server two days ahead, two days behind, and right again',
  rounds: offsets.length,
  async run(options) {
    const offsetFile = join(options.workspace.folder, 'clock-offset')
    const load = {
      preload: [join(import.meta.dirname, '../shifted-clock.ts')],
      environment: async () => ({ CLOCK_OFFSET_FILE: offsetFile }),
      // A provider's message is signed with the time, which a server whose clock is wrong refuses.
      without: ['results'] as const,
    }
    return runUnderLoad(options, load, async (given) => {
      const recovery: number[] = []
      const violations: string[] = []
      for (let round = 0; round < options.rounds; round++) {
        await waitForChanges(given.history, 30)
        writeFileSync(offsetFile, String(offsets[round % offsets.length]))
        await pause(200)
        recovery.push(await waitForRecovery(given.history, performance.now()))
        violations.push(...(await checkClockwork(given, round)))
      }
      const { rows } = await given.installation.query((client) => client.query<{ count: number }>(wrongTimes))
      if (rows[0]!.count > 0) violations.push(`${rows[0]!.count} audit rows have a time of the wrong clock`)
      return { recovery, violations }
    })
  },
}
