/**
 * The resident memory of the server as `npm start` runs it: after a minute at rest, then every 15 seconds under 32 connections,
 * of which 30 read lists, details and searches, one imports members, and one exports all of them now and then.
 *
 *   node bench/memory.ts [--minutes 10] [--rest 60]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type HttpCall, makeCall } from '#test/faults/call.ts'
import { type ConsoleProcess, startConsole } from '#test/faults/console.ts'
import { addSessions } from '#test/faults/seed.ts'
import { buildDatabaseUrl, type PostgresAddress } from '#test/support/console-process.ts'
import { freePort } from '#test/support/free-port.ts'
import { readSizes, withFilledDatabase } from './filled-console.ts'
import { listCalls } from './list-calls.ts'
import { median, readMemory, startSettings } from './measuring.ts'
import { addKey, key } from './platform-key.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rest: { type: 'string', default: '60' } },
})
const given = {
  members: '100000',
  orders: '20000',
  transactions: '200000',
  movements: '200000',
  audit: '50000',
  bank: '100000',
}
const sizes = readSizes(given)
const [sampleMs, exportPauseMs, readers, importedMembers] = [15_000, 20_000, 30, 500]
const mostAtRest = 150
const mostGrowth = 1.1

/** Starts the server, and signs an operator in. */
async function startServer(connection: pg.PoolConfig, folder: string) {
  const port = await freePort()
  const environment = {
    ...startSettings,
    DATABASE_URL: buildDatabaseUrl(connection as PostgresAddress, connection.database!),
    DATA_DIR: folder,
    PORT: String(port),
    DEMO: 'off',
    LOG_LEVEL: 'error',
    ADMIN_USERNAME: 'bench',
    ADMIN_PASSWORD: 'a password for measuring only',
  }
  const server = await startConsole({ environment })
  await addKey(connection)
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('UPDATE admins SET must_change_password = false')
  const [cookie] = await addSessions(client, ['bench'], String(port))
  await client.end()
  return { server, headers: { cookie: cookie!, 'user-agent': 'faults' } }
}

function importCall(n: number): HttpCall {
  const lines = Array.from({ length: importedMembers }, (_, at) => ({
    type: 'member',
    id: `imported-${at}`,
    email: `imported-${at}@example.com`,
    legalLastName: `Lima ${n}`,
  }))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  return { method: 'POST', path: `/api/platform/v1/import?batch=memory-${n}`, headers, body }
}

/** Calls that go on until they are stopped. Returns how many were answered with each status. */
function startLoad({ url }: ConsoleProcess, headers: Record<string, string>) {
  const stopping = new AbortController()
  const { signal } = stopping
  const statuses = new Map<string, number>()
  const paths = listCalls(sizes).flatMap(([, path], at) => [path, `/api/users/m-${1 + ((at * 997) % sizes.members)}`])
  const get = (path: string): HttpCall => ({ method: 'GET', path, headers })
  async function repeat(nextCall: (n: number) => HttpCall, restMs = 0) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let n = 0; !signal.aborted; n++) {
      const call = nextCall(n)
      const { status, code } = await makeCall(url, call, { agent, timeoutMs: 120_000 })
      const outcome = status === 200 ? '200' : `${status ?? ''} ${code} ${call.path}`
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      if (restMs > 0) await pause(restMs, undefined, { signal }).catch(() => {})
    }
    agent.destroy()
  }
  const read = (reader: number) => repeat((n) => get(paths[(reader * 13 + n) % paths.length]!))
  const running = Promise.all([
    ...Array.from({ length: readers }, (_, reader) => read(reader)),
    repeat(importCall),
    repeat(() => get('/api/exports/users'), exportPauseMs),
  ])
  return {
    async stop() {
      stopping.abort()
      await running
      return statuses
    },
  }
}

function report(atRest: number, samples: readonly number[]) {
  const third = Math.ceil(samples.length / 3)
  const [first, last] = [median(samples.slice(0, third)), median(samples.slice(-third))]
  const show = (value: number) => `${value.toFixed(0)} MB`
  console.log(`at rest ${show(atRest)} (aim: at most ${mostAtRest} MB)`)
  console.log(
    `under load: first third ${show(first)}, last third ${show(last)}, at most ${show(Math.max(...samples))}; ` +
      `× ${(last / first).toFixed(2)} (aim: at most × ${mostGrowth})`,
  )
  if (atRest > mostAtRest || last / first > mostGrowth) process.exitCode = 1
}

await withFilledDatabase(given, async (connection) => {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
  const { server, headers } = await startServer(connection, folder)
  try {
    await pause(Number(options.rest) * 1000)
    const atRest = await readMemory(server.pid)
    const load = startLoad(server, headers)
    const samples: number[] = []
    for (let at = sampleMs; at <= Number(options.minutes) * 60_000; at += sampleMs) {
      await pause(sampleMs)
      samples.push(await readMemory(server.pid))
      console.log(`${String(at / 1000).padStart(5)} s ${samples.at(-1)!.toFixed(0).padStart(5)} MB`)
    }
    for (const [outcome, count] of await load.stop()) console.log(`${count} × ${outcome}`)
    report(atRest, samples)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
