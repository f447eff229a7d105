import { parseArgs } from 'node:util'
import type pg from 'pg'
import { withSessionSettings } from '#server/db/connection.ts'
import { databaseOptions, readSizes, withFilledDatabase } from './filled-console.ts'
import { listCalls, listFloors } from './list-calls.ts'
import type { LatencySamples } from './load.ts'
import { connections, measure, median, type Server, serve } from './measuring.ts'

/**
 * Every list and figure of the console at full size, beside its aim, and as a ratio to the same SQL in a minimal handler (bare.ts). Ends with
 * those that miss their aim. What has a floor is compared with that instead.
 */
const { values: options } = parseArgs({
  options: {
    ...databaseOptions,
    seconds: { type: 'string', default: '3' },
    /** Rounds of one call, in each of which console and bare handler take turns; the medians count. */
    rounds: { type: 'string', default: '1' },
    /** Only calls whose name matches this regular expression. */
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const sizes = readSizes(options)
const only = new RegExp(options.only)
const floors = listFloors(sizes)
const calls = listCalls(sizes).filter(([name]) => only.test(name))

const cell = (value: string | number) => String(value).padStart(10)

/** The statements of one call of the console, without those of its session. */
async function recorded(console_: Server, path: string): Promise<pg.QueryConfig[]> {
  const reply = await fetch(`http://127.0.0.1:${console_.port}${path}`, { headers: { cookie: console_.cookie } })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
  const statements = (await (await fetch(`http://127.0.0.1:${console_.port}/recorded`)).json()) as pg.QueryConfig[]
  if (statements.length === 0) throw new Error(`${path}: no statement was recorded`)
  return statements
}

/** Throws where the bare handler fails or finds nothing: then there is nothing to compare with. */
async function checkBare(bare: Server, path: string) {
  const reply = await fetch(`http://127.0.0.1:${bare.port}${path}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: the bare handler answers ${reply.status} ${text}`)
  const { rows, more } = JSON.parse(text) as { rows: unknown[]; more: unknown[][] }
  if ([rows, ...more].every((each) => each.length === 0)) throw new Error(`${path}: the bare handler finds nothing`)
}

await withFilledDatabase(options, async (connection) => {
  console.log(`${connections} connections, ${rounds} x ${seconds} s a call and server`)
  console.log(`${''.padEnd(44)}${['p50 ms', 'aim', 'p99 ms', 'req/s', 'bare req/s', 'ratio'].map(cell).join('')}`)
  const console_ = await serve('console.ts', { connection, isRecording: true })
  const queries: Record<string, pg.QueryConfig[]> = {}
  for (const [index, [name, path]] of calls.entries()) {
    const floor = floors[name]?.query
    queries[index] = floor ? [floor] : await recorded(console_, path)
  }
  console_.stop()
  const measured = await serve('console.ts', { connection })
  const bare = await serve('bare.ts', { connection: withSessionSettings(connection), queries })
  const missed: string[] = []
  for (const [index, [name, path, aim]] of calls.entries()) {
    await checkBare(bare, `/${index}`)
    const ours: LatencySamples[] = []
    const theirs: LatencySamples[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(measured, path, seconds))
      theirs.push(await measure(bare, `/${index}`, seconds))
    }
    const ratio = median(ours.map((each, round) => each.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 0)))
    const p50 = median(ours.map((each) => each.p50))
    const figures = [
      p50.toFixed(1),
      aim,
      median(ours.map(({ p99 }) => p99)).toFixed(1),
      median(ours.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      median(theirs.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      `${(100 * ratio).toFixed(0)} %`,
    ]
    console.log(`${name.padEnd(44)}${figures.map(cell).join('')}`)
    if (p50 > aim) missed.push(`${name}: ${p50.toFixed(1)} ms, aim ${aim}`)
    const most = floors[name]?.most
    if (most !== undefined && 1 / ratio > most)
      missed.push(`${name}: ${(1 / ratio).toFixed(2)} x its floor, aim ${most}`)
  }
  console.log(missed.length > 0 ? ['', 'Missed:', ...missed].join('\n') : '\nAll reach their aim.')
  measured.stop()
  bare.stop()
})
