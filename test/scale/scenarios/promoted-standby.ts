import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import type { ConsoleProcess } from '#test/faults/console.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'
import { type Scenario, waitForChanges, waitForRecovery, waitUntil } from '#test/faults/scenario.ts'
import { type Pair, startPair } from '#test/scale/pair.ts'

/** How long nobody notices that the primary is gone, before somebody promotes the standby. */
const noticeMs = 1500

/** Counts what an open console is told: that it may have missed something. */
export function followStream(url: string, cookie: string) {
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
export async function failOver(pair: Pair, { history }: Pick<Load, 'history'>): Promise<number> {
  await waitForChanges(history, 60)
  const killedAt = performance.now()
  await pair.killPrimary()
  await pause(noticeMs)
  await pair.promote()
  return waitForRecovery(history, killedAt)
}

/** Two consoles that name both servers. Nothing that was acknowledged may be lost, and nothing done twice. */
export const promotedStandby: Scenario = {
  name: 'promoted-standby',
  title: 'kill -9 of the primary, then promotion of its synchronous standby, two consoles under changes',
  rounds: 10,
  async run(options) {
    let pair: Pair | undefined
    let other: ConsoleProcess | undefined
    const openCluster = async (dataDir: string) => (pair = await startPair(dataDir))
    const environment = async () => ({ DATABASE_WAIT_SECONDS: '60' })
    try {
      return await runUnderLoad(options, { openCluster, environment, clients: 6, targets: 3000 }, async (load) => {
        const { installation, stop } = load
        other = await installation.startAnother(await freePort())
        const streams = [installation.origin, other.url].map((url) => followStream(url, installation.cookies[0]!))
        const [recovery, violations]: [number[], string[]] = [[], []]
        for (let round = 1; round <= options.rounds; round++) {
          await pair!.setSynchronous(true)
          const before = streams.map((stream) => stream.count())
          recovery.push(await failOver(pair!, load))
          const isTold = () => streams.every((stream, at) => stream.count() > before[at]!)
          await waitUntil('open consoles that look again', isTold, 30).catch(() =>
            violations.push(`round ${round}: an open console was not told that it may have missed something`),
          )
          await pair!.rejoin()
        }
        await stop()
        await Promise.all(streams.map((stream) => stream.stop()))
        const sorted = recovery.toSorted((one, more) => one - more)
        return {
          recovery,
          violations,
          figures: {
            'pause of changes, with 1.5 s until the promotion, median': `${Math.round(sorted[Math.floor(sorted.length / 2)]!)} ms`,
            'at most': `${Math.round(sorted.at(-1)!)} ms`,
          },
        }
      })
    } finally {
      if (other?.isRunning()) await other.stop()
    }
  },
}
