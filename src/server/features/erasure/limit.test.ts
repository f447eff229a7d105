import { expect, test } from 'vitest'
import { createKey } from '#server/features/keys/keys.ts'
import { platformBase } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const limit = 21
const server = await startServer({ ERASURES_PER_DAY: String(limit) })
await server.sql(
  `INSERT INTO members (id, email) SELECT 'm-' || n, 'm-' || n || '@example.com' FROM generate_series(1, 30) AS n`,
)
const listEvents = (type: string) =>
  server.sql('SELECT severity, description, details FROM security_events WHERE event_type = $1', [type])

/** A key of the platform that erases members. */
async function createEraser(name: string) {
  const { key } = await createKey(server.system, { name, scopes: ['members.erase'] })
  const headers = { authorization: `Bearer ${key}` }
  return (n: number) => server.app.inject({ method: 'DELETE', url: `${platformBase}/members/m-${n}`, headers })
}

test('beyond its members of a day a key erases nobody (product 7.13)', async () => {
  // Those of the day before do not count.
  await server.sql(`INSERT INTO audit_log (actor_kind, actor_name, action, details, created_at)
    SELECT 'platform', 'platform:crm', 'erase_member', '{}', now() - interval '25 hours' FROM generate_series(1, 30)`)
  const erase = await createEraser('crm')
  for (let n = 1; n <= limit; n++) expect((await erase(n)).statusCode).toBe(200)
  const refused = await erase(limit + 1)
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    {
      code: 'erasure_limit',
      message: 'This platform key has erased 21 members in 24 hours, and may erase 21 (ERASURES_PER_DAY)',
    },
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  expect(await listEvents('erasure_refused')).toMatchObject([{ severity: 'high', details: { key: 'crm', count: 1 } }])
  expect((await erase(1)).json()).toMatchObject({ outcome: 'unchanged' })
  const eraseByOther = await createEraser('shop')
  expect((await eraseByOther(limit + 1)).statusCode).toBe(200)
})

test('twenty erasures of a key are a high event (product 7.13)', async () => {
  expect(await listEvents('many_erasures')).toEqual([
    {
      severity: 'high',
      description: 'The platform key crm has erased 20 members within 24 hours',
      details: { key: 'crm', erased: 20 },
    },
  ])
})
