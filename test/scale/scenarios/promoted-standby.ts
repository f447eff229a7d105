import { setTimeout as pause } from 'node:timers/promises'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { freePort } from '#test/support/free-port.ts'
import type { ConsoleProcess } from '#test/faults/console.ts'
import type { Installation } from '#test/faults/installation.ts'
import { median } from '#test/faults/report.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'
import { type Scenario, waitForChanges, waitForRecovery, waitUntil } from '#test/faults/scenario.ts'
import { findObstacle, startHaproxy } from '#test/scale/haproxy.ts'
import { type Pair, startPair } from '#test/scale/pair.ts'

/** How long nobody notices that the primary is gone, before somebody promotes the standby. */
const noticeMs = 1500

/** Counts what an open console is told: that it may have missed something. */
function followStream(url: string, cookie: string) {
  const stopping = new AbortController()
  let resyncs = 0
  const run = async () => {
    const response = await fetch(`${url}/api/live`, { headers: { cookie }, signal: stopping.signal })
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()))
      resyncs += chunk.split('"type":"resync"').length - 1
  }
  const running = run().catch(() => {})
  return {
    count: () => resyncs,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Kills the primary, promotes the standby, and makes the killed server its standby. Returns how long no change was acknowledged. */
async function failOver(pair: Pair, { history }: Pick<Load, 'history'>): Promise<number> {
  await waitForChanges(history, 60)
  const killedAt = performance.now()
  await pair.killPrimary()
  await pause(noticeMs)
  await pair.promote()
  return waitForRecovery(history, killedAt)
}

interface Promotion extends Pick<Scenario, 'name' | 'title' | 'findObstacle'> {
  consoles: number
  /** Starts what leads the consoles to the primary, if they do not name both servers. */
  startProxy?: (pair: Pair, folder: string) => Promise<{ port: number; close: () => Promise<void> }>
}

const describePauses = (pauses: readonly number[]) => ({
  'pause of changes, with 1.5 s until the promotion, median': `${Math.round(median(pauses)!)} ms`,
  'at most': `${Math.round(Math.max(...pauses))} ms`,
})

/** Promotes a standby again and again. Returns the pauses of changes, and what was wrong. */
async function promoteRepeatedly(rounds: number, pair: Pair, load: Load, consoles: readonly string[]) {
  const streams = consoles.map((url) => followStream(url, load.installation.cookies[0]!))
  const [recovery, violations]: [number[], string[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    await pair.setSynchronous(true)
    const before = streams.map((stream) => stream.count())
    recovery.push(await failOver(pair, load))
    const isTold = () => streams.every((stream, at) => stream.count() > before[at]!)
    await waitUntil('open consoles that look again', isTold, 30).catch(() =>
      violations.push(`round ${round}: an open console was not told that it may have missed something`),
    )
    await pair.rejoin()
  }
  await load.stop()
  await Promise.all(streams.map((stream) => stream.stop()))
  return { recovery, violations, figures: describePauses(recovery) }
}

/** Nothing that was acknowledged may be lost, and nothing done twice. */
const designPromotion = ({ consoles, startProxy, ...scenario }: Promotion): Scenario => ({
  ...scenario,
  rounds: 10,
  async run(options) {
    let pair: Pair | undefined
    let proxy: Awaited<ReturnType<NonNullable<typeof startProxy>>> | undefined
    const others: ConsoleProcess[] = []
    let urls: string[] = []
    const openCluster = async (dataDir: string) => (pair = await startPair(dataDir))
    const environment = async (connection: Pair['connection'], server: Pair['server']) => {
      proxy = await startProxy?.(pair!, options.workspace.folder)
      const address = proxy && buildDatabaseUrl({ ...server, host: '127.0.0.1', port: proxy.port }, connection.database)
      return { DATABASE_WAIT_SECONDS: '60', ...(address && { DATABASE_URL: address }) }
    }
    const origins = async ({ origin, startAnother }: Installation) => {
      while (others.length < consoles - 1) others.push(await startAnother(await freePort()))
      return (urls = [origin, ...others.map(({ url }) => url)])
    }
    const load = { openCluster, environment, origins, clients: 6, targets: 3000 }
    try {
      return await runUnderLoad(options, load, (started) => promoteRepeatedly(options.rounds, pair!, started, urls))
    } finally {
      for (const other of others) if (other.isRunning()) await other.stop()
      await proxy?.close()
    }
  },
})

export const promotedStandby = designPromotion({
  name: 'promoted-standby',
  title: 'kill -9 of the primary, then promotion of its synchronous standby, two consoles under changes',
  consoles: 2,
})

export const promotedBehindHaproxy = designPromotion({
  name: 'promoted-behind-haproxy',
  title: 'the same behind HAProxy, which asks each server for its role, three consoles under changes',
  consoles: 3,
  findObstacle,
  startProxy: startHaproxy,
})
