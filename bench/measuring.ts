import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { forkWith } from './given.ts'
import type { LatencySamples, Puts } from './load.ts'

/** The number of simultaneous requests. */
export const connections = 8

export interface Server {
  port: number
  cookie: string
  stop: () => void
}

/** Starts a server of this folder in its own process and waits until it listens. */
export function serve(file: string, given: unknown): Promise<Server> {
  const child = forkWith(file, given)
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code}`)))
    child.once('message', (about) =>
      done({ ...(about as { port: number; cookie: string }), stop: () => child.disconnect() }),
    )
  })
}

/** `puts` sends PUTs instead of GETs. */
export async function measure(
  { port, cookie }: Server,
  path: string,
  seconds: number,
  puts?: Puts,
): Promise<LatencySamples> {
  const load = { port, cookie, path, connections, seconds, puts }
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'load.ts'),
    JSON.stringify(load),
  ])
  return JSON.parse(stdout) as LatencySamples
}

/** What `npm start` adds to the server. */
export const startSettings = { NODE_OPTIONS: '--max-semi-space-size=2', MALLOC_ARENA_MAX: '2' }

/** Resident memory of a process in MB. */
export async function readMemory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}

/** The upper one of the two in the middle where their number is even. Throws without values. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
  if (middle === undefined) throw new Error('no values')
  return middle
}

/** Of each hundred times, those up to this one are shorter. */
export const percentile = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

const cell = (value: number, digits = 2) => value.toFixed(digits).padStart(9)
export const row = (name: string, { requestsPerSecond, p50, p99 }: LatencySamples) =>
  console.log(`${name.padEnd(52)}${cell(p50)}${cell(p99)}${cell(requestsPerSecond, 0)}`)

export const head = () => console.log(`${''.padEnd(52)}   p50 ms   p99 ms    req/s`)
