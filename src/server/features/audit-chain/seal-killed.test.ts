import { expect, test, vi } from 'vitest'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { startConnectionCutter } from '#test/support/connection-cutter.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { sealAudit } from './seal.ts'
import { verifyAudit } from './verify.ts'

const server = await startServer()
const { system, services } = server
const never = new AbortController().signal
const write = () =>
  inTransaction(system, async (tx) => {
    for (let n = 0; n < 3; n++) await audit(tx, system, { action: 'import', details: { n } })
  })
const countLinks = async () => (await server.sql<{ count: number }>('SELECT count(*)::int FROM audit_chain'))[0]!.count

test('a server that dies at any statement of a seal leaves a chain that goes on', async () => {
  const cutter = await startConnectionCutter()
  const database = connectPool(
    { ...readConnectionOptions(services.database.pool), ...cutter.connection, max: 1 },
    () => {},
  )
  const crashing = { ...system, database }
  await write()
  await settle(server)
  cutter.restart()
  await sealAudit(crashing, never)
  const statements = [...cutter.statements]
  expect(statements.at(-1)).toMatch(/^commit$/i)
  let rows = await countLinks()
  for (const isForwarded of [false, true])
    for (const at of statements.keys()) {
      await write()
      await settle(server)
      cutter.restart()
      cutter.cut({ at: at + 1, isForwarded, what: 'server' })
      await sealAudit(crashing, never).catch(() => {})
      await vi.waitUntil(() => database.pool.totalCount === 0, { interval: 2, timeout: 60_000 })
      const isStored = isForwarded && at === statements.length - 1
      const where = `${isForwarded ? 'after' : 'before'} ${statements[at]}`
      await vi.waitUntil(async () => (await countLinks()) === rows + (isStored ? 3 : 0), {
        interval: 5,
        timeout: 60_000,
      })
      // Another server seals as soon as PostgreSQL has let the lock go.
      await vi.waitUntil(() => sealAudit(system, never).then(async () => (await countLinks()) === rows + 3), {
        interval: 5,
        timeout: 60_000,
      })
      rows += 3
      expect(await verifyAudit(services), where).toMatchObject({ rows, fault: null })
    }
  await database.close()
  await cutter.close()
})
