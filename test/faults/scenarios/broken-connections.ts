import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCall } from '#test/faults/call.ts'
import type { Cluster } from '#test/faults/cluster.ts'
import type { Installation } from '#test/faults/installation.ts'
import {
  readPath,
  type Scenario,
  type ScenarioOptions,
  waitForChanges,
  waitForRecovery,
} from '#test/faults/scenario.ts'
import { startTcpProxy, type TcpProxy } from '#test/faults/tcp-proxy.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'

/** How long connections are slow, or silent. */
const faultMs = 1000
/** A client gives up a call after this time. */
const clientTimeoutMs = 8000
/** A limit against hanging, on a machine with other work too. */
const recoverWithinMs = 30_000

/** Makes one fault and ends it. Returns when it ended. */
async function breakConnections(proxy: TcpProxy, round: number): Promise<number> {
  if (round % 5 === 3) proxy.setMode('slow')
  else if (round % 5 === 4) proxy.setMode('silent')
  else {
    proxy.cut()
    return performance.now()
  }
  await pause(faultMs)
  proxy.setMode('open')
  return performance.now()
}

const breakRepeatedly =
  (rounds: number, getProxy: () => TcpProxy, check: (load: Load) => Promise<string[]>, recoverWithinMs: number) =>
  async (load: Load) => {
    const recovery: number[] = []
    const violations: string[] = []
    for (let round = 0; round < rounds; round++) {
      await waitForChanges(load.history, 20)
      await pause(Math.random() * 100)
      const broken = breakConnections(getProxy(), round)
      violations.push(...(await check(load)))
      recovery.push(await waitForRecovery(load.history, await broken, recoverWithinMs / 1000 + 10))
    }
    if (recovery.some((ms) => ms > recoverWithinMs))
      violations.push(`changes were possible again only after ${Math.round(Math.max(...recovery))} ms`)
    return { recovery, violations }
  }

/** Anyone who calls past the broken connections is answered as always. */
async function checkOtherClient({ installation }: Load): Promise<string[]> {
  const agent = new Agent()
  const headers = { cookie: installation.cookies[0]! }
  const answer = await makeCall(
    installation.origin,
    { method: 'GET', path: readPath, headers },
    { agent, timeoutMs: 20_000 },
  )
  agent.destroy()
  return answer.status === 200 ? [] : [`another client was answered with ${answer.status ?? answer.code}`]
}

export const brokenClients: Scenario = {
  name: 'broken-clients',
  title: 'connections of clients cut, slow and half-open',
  rounds: 20,
  async run(options: ScenarioOptions) {
    let proxy: TcpProxy | undefined
    const origins = async ({ origin }: Installation) => {
      proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(origin).port) })
      return [`http://127.0.0.1:${proxy.port}`]
    }
    const work = breakRepeatedly(options.rounds, () => proxy!, checkOtherClient, recoverWithinMs)
    const load = { origins, timeoutMs: clientTimeoutMs }
    try {
      return await runUnderLoad(options, load, work)
    } finally {
      await proxy?.close()
    }
  },
}

/** The longest that the console may wait on a connection to its database that is dead. */
const deadConnectionMs = 45_000

export const brokenDatabaseConnections: Scenario = {
  name: 'broken-database-connections',
  title: 'connections to the database cut, slow and half-open',
  rounds: 10,
  async run(options: ScenarioOptions) {
    let proxy: TcpProxy | undefined
    const environment = async ({ host, port }: Cluster['connection'], server: Cluster['server']) => {
      proxy = await startTcpProxy(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
      return { DATABASE_URL: buildDatabaseUrl({ ...server, host: '127.0.0.1', port: proxy.port }, 'app') }
    }
    const work = breakRepeatedly(
      options.rounds,
      () => proxy!,
      async () => [],
      deadConnectionMs,
    )
    try {
      return await runUnderLoad(options, { environment }, work)
    } finally {
      await proxy?.close()
    }
  },
}
