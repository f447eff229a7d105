import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { type Answer, makeCall } from '#test/faults/call.ts'
import type { ConsoleProcess } from '#test/faults/console.ts'
import type { History } from '#test/faults/history.ts'
import type { Installation } from '#test/faults/installation.ts'
import { readPath, type Scenario, waitUntil } from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'
import { startCheckingProxy } from '#test/support/checking-proxy.ts'

const clients = 6
const readers = 6
const lockedMember = 'member-locked'
/** How long a change waits for a lock while its console stops. */
const lockedMs = 1000
/** Between two restarts at least so many changes are made. */
const changesBetween = 100

type Proxy = Awaited<ReturnType<typeof startCheckingProxy>>

/** Clients that read over kept connections and never try again. */
function startReaders(url: string, cookie: string) {
  const outcomes = { answered: 0, failed: [] as string[] }
  const stopping = new AbortController()
  const run = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping.signal.aborted) {
      const { status, code } = await makeCall(url, { method: 'GET', path: readPath, headers: { cookie } }, { agent })
      if (status === 200) outcomes.answered++
      else outcomes.failed.push(`a read failed: ${status} ${code}`)
    }
    agent.destroy()
  }
  const running = Promise.all(Array.from({ length: readers }, run))
  return {
    outcomes,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Stops a console while one of its changes waits for a lock. Returns the exit code, and the answer to that change. */
async function stopWhileLocked({ query, intentions }: Installation, running: ConsoleProcess) {
  const agent = new Agent()
  const save = () => makeCall(running.url, intentions.saveMember(lockedMember), { agent })
  await save()
  return query(async (client): Promise<{ code: number | null; saved: Answer }> => {
    await client.query('BEGIN')
    await client.query('SELECT FROM members WHERE id = $1 FOR UPDATE', [lockedMember])
    const saving = save()
    const blocked = `SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`
    await waitUntil('a change that waits', async () => (await client.query(blocked)).rowCount === 1)
    const stopping = running.stop()
    await pause(lockedMs)
    await client.query('COMMIT')
    return { code: await stopping, saved: await saving }
  })
}

interface Server {
  url: string
  readonly running: ConsoleProcess
  start: () => Promise<void>
}

async function restartInTurn(
  installation: Installation,
  history: History,
  servers: readonly Server[],
  proxy: Proxy,
): Promise<string[]> {
  const violations: string[] = []
  for (const server of servers) {
    const made = history.acknowledged.length + changesBetween
    await waitUntil('changes by both consoles', () => history.acknowledged.length >= made, 120)
    const { code, saved } = await stopWhileLocked(installation, server.running)
    if (code !== 0) violations.push(`a server ended with ${code}`)
    if (saved.status !== 200) violations.push(`a change that waited was answered ${saved.status} ${saved.code}`)
    await server.start()
    await waitUntil('both consoles in service', () => servers.every(({ url }) => proxy.isUp(url)))
  }
  return violations
}

const listFailures = ({ calls }: History) =>
  calls
    .filter(({ status }) => status === null || status >= 500)
    .map(({ status, code }) => `a change failed: ${status} ${code}`)

/** Starts another console, and a proxy before both. */
async function startBoth(installation: Installation) {
  const port = await freePort()
  let other = await installation.startAnother(port)
  const proxy = await startCheckingProxy([installation.origin, other.url])
  const servers: Server[] = [
    {
      url: installation.origin,
      get running() {
        return installation.console
      },
      start: installation.restart,
    },
    {
      url: other.url,
      get running() {
        return other
      },
      start: async () => void (other = await installation.startAnother(port)),
    },
  ]
  const close = async () => {
    await proxy.close()
    if (other.isRunning()) await other.stop()
  }
  return { proxy, servers, close }
}

/** Two consoles behind a proxy that asks `/ready`, as at each upgrade. No client has to try anything again. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  title: `two servers restarted in turn behind a proxy, under changes by ${clients} clients and ${readers} readers`,
  rounds: 6,
  async run(options) {
    let both: Awaited<ReturnType<typeof startBoth>> | undefined
    const origins = async (installation: Installation) => {
      const { proxy, servers } = (both = await startBoth(installation))
      await waitUntil('both consoles in service', () => servers.every(({ url }) => proxy.isUp(url)))
      return [proxy.url]
    }
    const environment = async () => ({ DRAIN_SECONDS: '1' })
    try {
      return await runUnderLoad(options, { origins, environment, clients, targets: 2000 }, async (load) => {
        const { installation, history } = load
        const { proxy, servers } = both!
        const reading = startReaders(proxy.url, installation.cookies[0]!)
        const violations: string[] = []
        for (let round = 0; round < options.rounds; round++)
          violations.push(...(await restartInTurn(installation, history, servers, proxy)))
        await Promise.all([load.stop(), reading.stop()])
        await both!.close()
        const { outcomes } = reading
        const failed = [...listFailures(history), ...outcomes.failed]
        const figures = {
          restarts: String(options.rounds * servers.length),
          'calls through the proxy': String(history.calls.length + outcomes.answered + outcomes.failed.length),
          'of them failed': String(failed.length),
        }
        return { violations: [...violations, ...failed, ...proxy.failures], figures }
      })
    } finally {
      await both?.close()
    }
  },
}
