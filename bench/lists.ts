import { parseArgs } from 'node:util'
import { compareLists } from './compare-lists.ts'
import { databaseOptions, readSizes, withFilledDatabase } from './filled-console.ts'
import { listCalls, listFloors } from './list-calls.ts'
import { connections, median } from './measuring.ts'

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

await withFilledDatabase(options, async (connection) => {
  console.log(`${connections} connections, ${rounds} x ${seconds} s a call and server`)
  console.log(`${''.padEnd(44)}${['p50 ms', 'aim', 'p99 ms', 'req/s', 'bare req/s', 'ratio'].map(cell).join('')}`)
  const missed: string[] = []
  const compared = compareLists(connection, calls, { floors, seconds, rounds })
  for await (const { call, console: ours, bare: theirs } of compared) {
    const [name, , aim] = call
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
})
