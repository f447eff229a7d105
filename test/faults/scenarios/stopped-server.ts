import { readPath, type Scenario, waitForChanges, waitForRecovery } from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'
import { loadUntilRefused } from '#test/support/keep-alive-load.ts'

const readers = 16

/** SIGTERM as at each upgrade. Every call under way gets its whole answer. */
export const stoppedServer: Scenario = {
  name: 'stopped-server',
  title: `SIGTERM under changes and ${readers} readers`,
  rounds: 10,
  run: (options) =>
    runUnderLoad(options, {}, async ({ installation, history }) => {
      const recovery: number[] = []
      const violations: string[] = []
      let answered = 0
      for (let round = 0; round < options.rounds; round++) {
        const { outcomes, ended } = loadUntilRefused(
          `${installation.origin}${readPath}`,
          installation.cookies[0]!,
          readers,
        )
        await waitForChanges(history, 30)
        const stoppedAt = performance.now()
        const code = await installation.console.stop()
        await ended
        await installation.restart()
        recovery.push(await waitForRecovery(history, stoppedAt))
        if (code !== 0) violations.push(`the server ended with ${code}`)
        violations.push(...outcomes.broken.map((problem) => `a read broke off: ${problem}`))
        answered += outcomes.answered
      }
      const unknown = history.calls.filter(({ outcome }) => outcome === 'unknown')
      if (unknown.length > 0)
        violations.push(
          ...unknown.map(({ code, from, to }) => `a change broke off after ${Math.round(to - from)} ms: ${code}`),
        )
      const resets = violations.filter((text) => text.includes('broke off')).length
      return { recovery, violations, figures: { 'reads answered': String(answered), resets: String(resets) } }
    }),
}
