import { setTimeout as pause } from 'node:timers/promises'
import { checkHistory } from '#test/faults/check-history.ts'
import { History } from '#test/faults/history.ts'
import { startInstallation } from '#test/faults/installation.ts'
import { type Scenario, waitForChanges, waitForRecovery } from '#test/faults/scenario.ts'
import { startWriters } from '#test/faults/writers.ts'
import { type Pair, startPair } from '#test/scale/pair.ts'

/** How far the standby is behind when the primary dies. */
const behindMs = 2000

/** Stops what receives the log on the standby, as a slow network would. */
const stopReceiving = (pair: Pair) =>
  pair.standby(async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_wal_receiver')
    process.kill(rows[0]!.pid, 'SIGSTOP')
    return rows[0]!.pid
  })

/** What a standby that no commit waits for loses. It is told, not held: the setup allows it. */
export const laggingStandby: Scenario = {
  name: 'lagging-standby',
  title: 'the same with an asynchronous standby that is 2 s behind: what may be lost (told, not held)',
  rounds: 1,
  async run({ workspace, rounds }) {
    let pair: Pair | undefined
    const installation = await startInstallation(workspace, {
      openCluster: async (dataDir) => (pair = await startPair(dataDir)),
      targets: 2000,
    })
    try {
      const history = new History()
      const { intentions, origin } = installation
      const writers = startWriters({ history, intentions, origins: [origin], clients: 6 })
      const recovery: number[] = []
      try {
        await waitForChanges(history, 100)
        const receiver = await stopReceiving(pair!)
        await pause(behindMs)
        const killedAt = performance.now()
        await pair!.killPrimary()
        // What the system still held for it counts as never received.
        process.kill(receiver, 'SIGTERM')
        process.kill(receiver, 'SIGCONT')
        await pair!.promote()
        recovery.push(await waitForRecovery(history, killedAt))
      } finally {
        await writers.stop()
      }
      const found = await installation.query((client) => checkHistory(client, history))
      const lost = found.filter(({ kind }) => kind === 'lost').length
      const count = (outcome: string) => history.calls.filter((call) => call.outcome === outcome).length
      const [acknowledged, refused, unknown] = [count('acknowledged'), count('refused'), count('unknown')]
      const figures = { 'acknowledged and lost': `${lost} of ${acknowledged}` }
      return { rounds, acknowledged, refused, unknown, lost, doubled: 0, recovery, figures, violations: [] }
    } finally {
      await installation.close()
    }
  },
}
