import { setTimeout as pause } from 'node:timers/promises'
import { type Scenario, type ScenarioOptions, waitForChanges, waitForRecovery } from '#test/faults/scenario.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'

/** Kills the database again and again. `start` brings it back. */
const killRepeatedly =
  (rounds: number, start: (load: Load) => Promise<void>) =>
  async (load: Load): Promise<{ recovery: number[]; violations: string[] }> => {
    const { installation, history } = load
    const recovery: number[] = []
    for (let round = 0; round < rounds; round++) {
      await waitForChanges(history, 20)
      await pause(Math.random() * 200)
      const killedAt = performance.now()
      await installation.cluster.kill()
      await start(load)
      recovery.push(await waitForRecovery(history, killedAt))
    }
    return { recovery, violations: installation.console.isRunning() ? [] : ['the server ended with its database'] }
  }

/** All processes of a PostgreSQL of the operator end, and it is started again. The server stays. */
export const killedDatabase: Scenario = {
  name: 'killed-database',
  title: 'kill -9 of the database under changes',
  rounds: 50,
  run: (options: ScenarioOptions) =>
    runUnderLoad(
      options,
      {},
      killRepeatedly(options.rounds, ({ installation }) => installation.cluster.start()),
    ),
}

/** All processes of the console's own PostgreSQL end, and the console starts it again, with growing pauses. */
export const killedOwnDatabase: Scenario = {
  name: 'killed-own-database',
  title: 'kill -9 of the embedded database, which the console starts again',
  rounds: 4,
  run: (options) =>
    runUnderLoad(
      options,
      { isEmbedded: true },
      killRepeatedly(options.rounds, async () => {}),
    ),
}
