import type { FastifyInstance } from 'fastify'
import { afterAll, beforeEach, expect, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import type { Services } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { startConnectionCutter } from './connection-cutter.ts'
import { checkRefusals } from './refusal-check.ts'
import { createSession, type TestServer } from './server.ts'
import { diffStates, createTableReader } from './table-state.ts'

/** One of the two consoles on the test's database: the crashing one, or the surviving one. */
export interface Console {
  app: FastifyInstance
  services: Services
  call: (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => Promise<Reply>
}
/** The caller's answer. Status 0 means that the connection broke. */
export interface Reply {
  statusCode: number
  body: string
}

/** A change that is repeated on equal data. */
export interface Change<Fixture> {
  /** New data that the change is made on. */
  make: () => Promise<Fixture>
  act: (console: Console, fixture: Fixture) => Promise<Reply>
  /** The status of a repeated call when the change is already made. The first status by default. */
  statusAgain?: number
  /** The number of the COMMIT that makes the change, from 1. The last one by default. */
  standsAfter?: number
  /** Statements that are a transaction of their own, and change something. */
  commitsAlone?: RegExp
  /** Checks the state after an earlier COMMIT. By default nothing may have changed. */
  checkBetween?: (found: string[], fixture: Fixture, whole: string[]) => Promise<void> | void
}

/** Where a change is cut: all of it takes some forty runs of it, its last COMMIT three. */
export type CrashPoints = 'each statement' | 'the last COMMIT'

/** What changes of accounts are proven with. */
export interface CrashTools {
  crashAtEachStatement: <Fixture>(change: Change<Fixture>) => Promise<void>
  makeAdmin: () => Promise<string>
}

/** Batches of reads and of refusals would be written in the middle of a change that is crashed. */
const startIdleTimer = () => setTimeout(() => {}, 0)

/**
 * Two consoles on one database. The first connects through a cutter. `crashAtEachStatement` makes a change once as a
 * whole, then crashes the first console at each of `points`, and proves that all of the change or nothing is stored.
 */
export async function startCrashTest(server: TestServer, points: CrashPoints = 'each statement') {
  const cutter = await startConnectionCutter()
  const [row] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  const applicationName = `crashing console of ${row!.name}`
  const database = connectPool(
    {
      ...readConnectionOptions(server.services.database.pool),
      database: row!.name,
      application_name: applicationName,
      ...cutter.connection,
      max: 4,
    },
    () => {},
  )
  const services = { ...server.services, database, startBatchTimer: startIdleTimer }
  const app = await buildApp(services)
  const survivingServices = { ...server.services, startBatchTimer: startIdleTimer }
  const survivingApp = await buildApp(survivingServices)
  checkRefusals(survivingApp)
  await server.addOperator('ada', 'super_admin')
  const cookie = await createSession(server, 'ada')
  const tables = await createTableReader(server)
  const buildConsole = (app: FastifyInstance, services: Services): Console => ({
    app,
    services,
    call: (method, url, payload) => app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) }),
  })
  const crashing = buildConsole(app, services)
  const surviving = buildConsole(survivingApp, survivingServices)

  beforeEach(() => tables.empty())
  afterAll(async () => {
    await app.close()
    await survivingApp.close()
    await database.close()
    await cutter.close()
  })

  // An attempt to sign in counts as failed until it has succeeded, so that one that dies half-way may count. What was read is
  // written later, in batches. Who died holds a lease until it ends.
  const read = () => tables.read(['sign_in_throttles', 'data_access', 'leases'])

  /** Whether the surviving console has written its security events. A refused change is answered before its event is stored. */
  const isSurvivorDone = () => {
    const { idleCount, totalCount, waitingCount } = server.services.database.pool
    return waitingCount === 0 && idleCount === totalCount
  }

  async function prepare<Fixture>({ make }: Change<Fixture>) {
    cutter.restart()
    const fixture = await make()
    await vi.waitUntil(isSurvivorDone, { interval: 2, timeout: 60_000 })
    // A session that was not used for a while would be written to by the next call.
    await server.sql('UPDATE sessions SET last_active_at = now()')
    return { fixture, before: await read() }
  }

  /** Whether the crashed console has no connection left, so that PostgreSQL has rolled back. */
  async function isDisconnected() {
    if (database.pool.totalCount > 0) return false
    return (
      (await server.sql('SELECT FROM pg_stat_activity WHERE application_name = $1', [applicationName])).length === 0
    )
  }

  async function crashAtEachStatement<Fixture>(change: Change<Fixture>): Promise<void> {
    const first = await prepare(change)
    const firstReply = await change.act(crashing, first.fixture)
    const fullChange = diffStates(first.before, await read())
    const statements = [...cutter.statements]
    expect(firstReply.statusCode, firstReply.body).toBeLessThan(500)
    expect(fullChange).not.toEqual([])
    const isCommit = (text: string) => /^commit$/i.test(text) || change.commitsAlone?.test(text)
    const commits = [...statements.keys()].filter((at) => isCommit(statements[at]!))
    const decisive = commits[(change.standsAfter ?? commits.length) - 1]!

    async function crashAt(at: number, isForwarded: boolean) {
      const where = `${isForwarded ? 'after' : 'before'} statement ${at + 1} of ${statements.length}: ${statements[at]}`
      const { fixture, before } = await prepare(change)
      cutter.cut({ at: at + 1, isForwarded, what: 'server' })
      const reply = await change.act(crashing, fixture)
      await vi.waitUntil(isDisconnected, { interval: 2, timeout: 60_000 })
      const found = diffStates(before, await read())
      const committed = isForwarded ? at : at - 1
      const stands = committed >= decisive
      if (/nothing was (changed|stored)/.test(reply.body)) expect(found, `${where}, answered ${reply.body}`).toEqual([])
      if (at <= decisive) expect([503, 0], where).toContain(reply.statusCode)
      if (stands) expect(found, where).toEqual(fullChange)
      else if (change.checkBetween && committed >= commits[0]!) return change.checkBetween(found, fixture, fullChange)
      else expect(found, where).toEqual([])
      const second = await change.act(surviving, fixture)
      expect(second.statusCode, `${where}, then again: ${second.body}`).toBe(
        stands ? (change.statusAgain ?? firstReply.statusCode) : firstReply.statusCode,
      )
      if (!stands) expect(diffStates(before, await read()), where).toEqual(fullChange)
    }
    const isWhole = points === 'each statement'
    for (const at of isWhole ? statements.keys() : [decisive]) await crashAt(at, false)
    for (const at of isWhole ? commits : [decisive]) await crashAt(at, true)
  }

  return { crashAtEachStatement, crashing, surviving, cookie }
}
