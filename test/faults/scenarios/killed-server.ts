import { setTimeout as pause } from 'node:timers/promises'
import { type Scenario, waitForChanges, waitForRecovery } from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'

/** The server ends amid changes and is started again, as systemd does. */
export const killedServer: Scenario = {
  name: 'killed-server',
  title: 'kill -9 of the server under changes',
  rounds: 50,
  run: (options) =>
    runUnderLoad(options, {}, async ({ installation, history }) => {
      const recovery: number[] = []
      for (let round = 0; round < options.rounds; round++) {
        await waitForChanges(history, 20)
        // Each time at another moment of the changes under way.
        await pause(Math.random() * 200)
        const killedAt = performance.now()
        await installation.console.kill()
        await installation.restart()
        recovery.push(await waitForRecovery(history, killedAt))
      }
      return { recovery }
    }),
}
