import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, makeCall } from '#test/faults/call.ts'
import { readPath, type Scenario, waitForChanges, waitForRecovery } from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'

const awaySeconds = 30
/** The longest that a call may take to say that the database is away. */
const answerWithinMs = 10_000
const recoverWithinMs = 20_000

/** Makes calls of these addresses in turn until it is stopped. */
function startReaders(origin: string, cookie: string, paths: string[]) {
  const stopping = new AbortController()
  const answers = new Map(paths.map((path) => [path, [] as Answer[]]))
  const read = async (path: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping.signal.aborted) {
      answers.get(path)!.push(await makeCall(origin, { method: 'GET', path, headers: { cookie } }, { agent }))
      await pause(20)
    }
    agent.destroy()
  }
  const all = Promise.all(paths.map(read))
  return {
    answers,
    stop: async () => {
      stopping.abort()
      await all
    },
  }
}

/** PostgreSQL is shut down for half a minute. Calls say so at once, and go on by themselves. */
export const databaseAway: Scenario = {
  name: 'database-away',
  title: `the database away for ${awaySeconds} s under changes and reads`,
  rounds: 1,
  run: (options) =>
    runUnderLoad(options, {}, async ({ installation, history }) => {
      const recovery: number[] = []
      const violations: string[] = []
      let slowest = 0
      let refused = 0
      for (let round = 0; round < options.rounds; round++) {
        await waitForChanges(history, 50)
        const readers = startReaders(installation.origin, installation.cookies[0]!, ['/live', '/ready', readPath])
        await installation.cluster.stop()
        const goneAt = performance.now()
        await pause(awaySeconds * 1000)
        const backAt = performance.now()
        await installation.cluster.start()
        recovery.push(await waitForRecovery(history, backAt))
        await readers.stop()
        const expected = { '/live': 200, '/ready': 503, [readPath]: 503 }
        for (const [path, status] of Object.entries(expected)) {
          const during = readers.answers.get(path)!.filter(({ from, to }) => from > goneAt && to < backAt)
          const other = during.find((answer) => answer.status !== status)
          if (during.length === 0) violations.push(`${path} was not answered while the database was away`)
          if (other)
            violations.push(`${path} was answered with ${other.status} ${other.code} while the database was away`)
        }
        const during = history.calls.filter(({ from, to }) => from > goneAt && to < backAt)
        if (during.some(({ status }) => status !== 503)) violations.push('a change was not answered with 503')
        const all = [...during, ...[...readers.answers.values()].flat()]
        slowest = Math.max(slowest, ...all.map(({ from, to }) => to - from))
        refused += during.length
      }
      if (slowest > answerWithinMs) violations.push(`a call was answered after ${Math.round(slowest)} ms`)
      if (recovery.some((ms) => ms > recoverWithinMs))
        violations.push('changes were not possible soon after the return')
      if (!installation.console.isRunning()) violations.push('the server ended')
      const figures = { 'changes answered with 503': String(refused), 'slowest answer': `${Math.round(slowest)} ms` }
      return { recovery, violations, figures }
    }),
}
