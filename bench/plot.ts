import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareLists } from './compare-lists.ts'
import { drawPlot, type Point } from './draw-plot.ts'
import { withFilledDatabase } from './filled-console.ts'
import { listCalls } from './list-calls.ts'
import type { LatencySamples } from './load.ts'
import { connections, median } from './measuring.ts'

/**
 * Every list as its table grows, beside the same SQL in a minimal handler (bare.ts): a line of p50 for each, and a picture of page 1 of those
 * that grow most. All tables have as many rows as there are members.
 */
const { values: options } = parseArgs({
  options: {
    plot: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    /** Only calls whose name matches this regular expression. */
    only: { type: 'string', default: '' },
    /** Keeps a database of each size there for the next run. */
    folder: { type: 'string' },
    out: { type: 'string', default: 'docs/pictures/lists-by-size.svg' },
  },
})
const sizes = options.sizes.split(',').map(Number)
const rounds = Number(options.rounds)
const only = new RegExp(options.only)
const drawn = {
  users: 'Users',
  orders: 'Orders',
  'chain transactions': 'Transfers',
  'admin logs': 'Audit log',
  'bank lines': 'Bank lines',
}
/** What the growth of the largest size is told against. */
const base = sizes.includes(100_000) ? 100_000 : sizes[0]!

const summarize = (rows: number, samples: LatencySamples[]): Point => {
  const all = samples.map(({ p50 }) => p50)
  return { rows, min: Math.min(...all), median: median(all), max: Math.max(...all) }
}
/** The page far back is another number at each size. */
const nameCall = (name: string) => name.replace(/page \d+(\.\d+)?/, 'page far back')

const found = new Map<string, { console: Point[]; bare: Point[] }>()
for (const rows of sizes) {
  const of = {
    members: rows,
    orders: rows,
    chainTransactions: rows,
    platformTransactions: rows,
    auditRows: rows,
    bankLines: rows,
  }
  const calls = listCalls(of).filter(([name]) => only.test(name))
  const n = String(rows)
  const given = { members: n, orders: n, transactions: n, movements: n, audit: n, bank: n }
  const folder = options.folder && join(options.folder, n)
  await withFilledDatabase({ ...given, folder }, async (connection) => {
    for await (const compared of compareLists(connection, calls, { seconds: Number(options.seconds), rounds })) {
      const name = nameCall(compared.call[0])
      const points = found.get(name) ?? { console: [], bare: [] }
      points.console.push(summarize(rows, compared.console))
      points.bare.push(summarize(rows, compared.bare))
      found.set(name, points)
      console.log(`${rows}  ${name}: ${points.console.at(-1)!.median.toFixed(1)} ms`)
    }
  })
}

const cell = (value: string | number) => String(value).padStart(10)
console.log(`\np50 in ms, ${connections} connections, median of ${rounds} rounds of ${options.seconds} s`)
console.log(`${''.padEnd(44)}${[...sizes, 'growth', 'bare'].map(cell).join('')}`)
for (const [name, { console: ours, bare }] of found) {
  const growth = (points: Point[]) => {
    const from = points.find(({ rows }) => rows === base)!
    return `x ${(points.at(-1)!.median / from.median).toFixed(2)}`
  }
  console.log(
    name.padEnd(44) + [...ours.map((point) => point.median.toFixed(1)), growth(ours), growth(bare)].map(cell).join(''),
  )
}

const panels = Object.entries(drawn).flatMap(([name, title]) => {
  const points = found.get(name)
  return points ? [{ title: `${title}, page 1`, ...points }] : []
})
const caption = `p50 in ms over rows, ${connections} calls at once; solid: the console, dashed: the same SQL in a bare handler; bars: shortest and longest of ${rounds} rounds`
if (panels.length > 0) await writeFile(options.out, drawPlot(panels, caption))
