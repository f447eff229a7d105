/**
 * How soon open consoles learn of a change, with three servers on one database: first 1,000 event streams over all of them and 100
 * changes through the first server, then one stream of each server and 1,000 changes. A change follows 0 to 500 ms after the one
 * before has arrived, as a server gathers the changes of 250 ms.
 *
 *   node bench/streams.ts [--streams 1000] [--events 1000]
 */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeCall } from '#test/faults/call.ts'
import type { ConsoleProcess } from '#test/faults/console.ts'
import { type Installation, startInstallation } from '#test/faults/installation.ts'
import { waitUntil } from '#test/faults/scenario.ts'
import { addSessions } from '#test/faults/seed.ts'
import { Workspace } from '#test/faults/workspace.ts'
import { freePort } from '#test/support/free-port.ts'
import { percentile, readMemory, startSettings } from './measuring.ts'

const { values: options } = parseArgs({
  options: { streams: { type: 'string', default: '1000' }, events: { type: 'string', default: '1000' } },
})
const serverCount = 3
const changesToAll = 100
const restMs = 30_000
const longestPauseMs = 500

interface Stream {
  server: number
  /** When it said that the list of members has changed, by `performance.now()`. */
  toldAt: number | undefined
  close: () => void
}

async function openStream({ url }: ConsoleProcess, server: number, cookie: string): Promise<Stream> {
  const headers = { cookie, 'user-agent': 'faults' }
  const [reply] = (await once(get(`${url}/api/live`, { agent: false, headers }), 'response')) as [IncomingMessage]
  if (reply.statusCode !== 200) throw new Error(`a stream was answered ${reply.statusCode}`)
  const stream: Stream = { server, toldAt: undefined, close: () => reply.destroy() }
  reply.on('data', (chunk: Buffer) => {
    if (chunk.includes('"changed"') && chunk.includes('"users"')) stream.toldAt ??= performance.now()
  })
  reply.on('error', () => {})
  await once(reply, 'data')
  return stream
}

/** Opens as many streams as there are cookies, each with a session of its own, over all servers in turn. */
async function openStreams(servers: readonly ConsoleProcess[], cookies: readonly string[]): Promise<Stream[]> {
  const streams: Stream[] = []
  for (const [at, cookie] of cookies.entries())
    streams.push(await openStream(servers[at % serverCount]!, at % serverCount, cookie))
  return streams
}

/** Makes changes one after another. Returns after how many ms each stream told of each, by server. */
async function measureChanges({ intentions, origin }: Installation, streams: readonly Stream[], changes: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const delays: number[][] = Array.from({ length: serverCount }, () => [])
  for (let n = 0; n < changes; n++) {
    await pause((n * 197) % longestPauseMs)
    for (const stream of streams) stream.toldAt = undefined
    const { status, code, to } = await makeCall(origin, intentions.saveMember('changed'), { agent })
    if (status !== 200 && status !== 201) throw new Error(`a change was answered ${status} ${code}`)
    await waitUntil('an event on each stream', () => streams.every(({ toldAt }) => toldAt !== undefined))
    for (const { server, toldAt } of streams) delays[server]!.push(Math.max(0, toldAt! - to))
  }
  agent.destroy()
  return delays
}

const show = (value: number) => value.toFixed(1).padStart(8)

function report(title: string, delays: readonly number[][]): void {
  console.log(`${title.padEnd(48)}  p50 ms  p95 ms  most ms`)
  for (const [server, times] of delays.entries())
    console.log(
      `  server ${server + 1}${server === 0 ? ', which made the changes' : ''}`.padEnd(48) +
        [0.5, 0.95, 1].map((share) => show(percentile(times, share))).join(''),
    )
}

const readMemories = (servers: readonly ConsoleProcess[]) => Promise.all(servers.map(({ pid }) => readMemory(pid)))

async function measureStreams(installation: Installation, servers: readonly ConsoleProcess[], cookies: string[]) {
  await pause(restMs)
  const before = await readMemories(servers)
  const streams = await openStreams(servers, cookies)
  await pause(restMs)
  for (const [at, after] of (await readMemories(servers)).entries()) {
    const open = streams.filter(({ server }) => server === at).length
    const each = ((after - before[at]!) * 1000) / open
    console.log(
      `server ${at + 1}: ${before[at]!.toFixed(0)} MB, ${after.toFixed(0)} MB with ${open} streams: ${each.toFixed(0)} MB per 1,000`,
    )
  }
  const delays = await measureChanges(installation, streams, changesToAll)
  for (const stream of streams) stream.close()
  report(`${changesToAll} changes to ${streams.length} streams`, delays)
}

const workspace = new Workspace()
const others: ConsoleProcess[] = []
let installation: Installation | undefined
try {
  await workspace.prepare()
  installation = await startInstallation(workspace, { environment: async () => startSettings })
  const { origin, query, startAnother } = installation
  while (others.length < serverCount - 1) others.push(await startAnother(await freePort()))
  const servers = [installation.console, ...others]
  const usernames = Array<string>(Number(options.streams)).fill('operator-1')
  const cookies = await query((client) => addSessions(client, usernames, new URL(origin).port))
  console.log(`${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}`)
  await measureStreams(installation, servers, cookies)
  const streams = await openStreams(servers, cookies.slice(0, serverCount))
  const delays = await measureChanges(installation, streams, Number(options.events))
  for (const stream of streams) stream.close()
  report(`${options.events} changes to a stream of each server`, delays)
} finally {
  await Promise.all(others.map((other) => other.stop()))
  await installation?.close()
  workspace.remove()
}
