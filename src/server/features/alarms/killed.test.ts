import { afterAll, expect, test, vi } from 'vitest'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { startAlarmServer } from '#test/support/alarm-outputs.ts'
import { endLeases } from '#test/support/leases.ts'
import { startConnectionCutter } from '#test/support/connection-cutter.ts'

const { server, collector, raise, write, seal, send, makeDue, actions } = await startAlarmServer()
const { system, services } = server
afterAll(() => collector.close())

test('a server that dies at any statement of sending loses and reorders nothing', async () => {
  const cutter = await startConnectionCutter()
  const database = connectPool(
    { ...readConnectionOptions(services.database.pool), ...cutter.connection, max: 1 },
    () => {},
  )
  const crashing = { ...system, database }
  const given: string[] = []
  async function bringAbout(name: string) {
    await raise(`event-${name}`)
    await write(`row-${name}`)
    await seal()
    given.push(`event-${name}`, `row-${name}`)
  }
  await seal()
  await send()
  await bringAbout('first')
  cutter.restart()
  await send(crashing)
  const statements = [...cutter.statements]
  expect(statements.filter((statement) => /^commit$/i.test(statement)).length).toBe(2)
  for (const isForwarded of [false, true])
    for (const at of statements.keys()) {
      await bringAbout(`${isForwarded}-${at}`)
      cutter.restart()
      cutter.cut({ at: at + 1, isForwarded, what: 'server' })
      await send(crashing).catch(() => {})
      await vi.waitUntil(() => database.pool.totalCount === 0, { interval: 2, timeout: 60_000 })
      await endLeases(server)
      // What the dead server had under way may not be rolled back yet.
      await vi.waitUntil(
        () =>
          makeDue()
            .then(() => send())
            .then(() => actions().includes(`row-${isForwarded}-${at}`)),
        { interval: 5, timeout: 60_000 },
      )
    }
  await database.close()
  await cutter.close()
  const once = actions().filter((action, at, all) => all.indexOf(action) === at)
  for (const kind of ['event-', 'row-'])
    expect(once.filter((action) => action.startsWith(kind))).toEqual(given.filter((name) => name.startsWith(kind)))
})
