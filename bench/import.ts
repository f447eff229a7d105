/**
 * How fast an import is compared with `COPY` of the same rows into the same tables, with the same indexes and triggers, and
 * whether its memory stays flat: members with one wallet each, into a new embedded database in each turn.
 *
 *   node bench/import.ts [members, default 100000,1000000] [rounds, default 1]
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { readConfig } from '#server/core/config.ts'
import { contextFor, type Ctx, type Services } from '#server/core/context.ts'
import { withSessionSettings } from '#server/db/connection.ts'
import { importStream } from '#server/platform/import.ts'
import { openServerBase } from '#server/process/start.ts'
import { copyFile } from './copy.ts'

const sizes = (process.argv[2] ?? '100000,1000000').split(',').map(Number)
const rounds = Number(process.argv[3] ?? 1)
const padded = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
const instant = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 61_000).toISOString()
/** Ids and addresses are unordered, as in real data. */
const scattered = (n: number) => Math.imul(n + 1, 0x9e3779b1) >>> 0

const makeMember = (n: number) => ({
  id: `m-${padded(scattered(n), 8)}`,
  email: `member.${n}@mail.example`,
  legalFirstName: ['Ana', 'José', 'Łucja', '王', 'Олена'][n % 5]!,
  legalLastName: `Lima ${n}`,
  legalPhone: `+351 9${n}`,
  createdAt: instant(n),
})
const makeAddress = (n: number) => `0x${padded(scattered(n + 7), 8).padEnd(40, '0a1b2c3d')}`

function* importLines(count: number) {
  for (let n = 0; n < count; n++) {
    const { createdAt, ...member } = makeMember(n)
    const wallet = { type: 'wallet', memberId: member.id, address: makeAddress(n), createdAt }
    yield `${JSON.stringify({ type: 'member', ...member, createdAt })}\n${JSON.stringify(wallet)}\n`
  }
}
function* memberRows(count: number) {
  for (let n = 0; n < count; n++) yield `${Object.values(makeMember(n)).join('\t')}\t1\n`
}
function* walletRows(count: number) {
  for (let n = 0; n < count; n++) yield `${makeMember(n).id}\t${makeAddress(n)}\t${instant(n)}\n`
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))

async function write(name: string, lines: Iterable<string>) {
  const file = join(folder, name)
  await pipeline(Readable.from(lines), createWriteStream(file))
  return file
}

/** Runs `work` on a new embedded database, which is then deleted. */
async function withDatabase<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const base = await openServerBase(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }), pino({ level: 'silent' }), () => {})
  try {
    return await work(base.services)
  } finally {
    await base.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function importFile(ctx: Ctx, file: string, isDryRun = false) {
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  const begun = performance.now()
  const { errors: _, ...counts } = await importStream(ctx, createReadStream(file, { highWaterMark: 256 * 1024 }), {
    isDryRun,
  })
  clearInterval(watch)
  return { seconds: (performance.now() - begun) / 1000, peak: peak / 1e6, counts }
}

const rate = (rows: number, seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows/s`

async function copyRows({ database: { pool } }: Services, members: string, wallets: string): Promise<number> {
  const { password } = pool.options
  const connection = { ...withSessionSettings({ ...pool.options, password }), statement_timeout: 0 }
  const columns = 'members (id, email, legal_first_name, legal_last_name, legal_phone, created_at, version)'
  const ofMembers = await copyFile(connection, columns, members)
  return ofMembers + (await copyFile(connection, 'wallets (member_id, address, created_at)', wallets))
}

async function importLinesOf(services: Services, lines: string) {
  const ctx = contextFor(services, { kind: 'system', name: 'bench' })
  const dry = await importFile(ctx, lines, true)
  const first = await importFile(ctx, lines)
  return { dry, first, again: await importFile(ctx, lines) }
}

async function measure(count: number) {
  const [lines, members, wallets] = [
    await write('lines.ndjson', importLines(count)),
    await write('members.copy', memberRows(count)),
    await write('wallets.copy', walletRows(count)),
  ]
  for (let round = 0; round < rounds; round++) {
    const copied = await withDatabase((services) => copyRows(services, members, wallets))
    const { dry, first, again } = await withDatabase((services) => importLinesOf(services, lines))
    const rows = 2 * count
    console.log(
      `${count.toLocaleString('en')} members with wallets: COPY ${copied.toFixed(1)} s, ${rate(rows, copied)}; ` +
        `import ${first.seconds.toFixed(1)} s, ${rate(rows, first.seconds)}, ` +
        `${((100 * copied) / first.seconds).toFixed(0)} % of COPY, peak RSS ${first.peak.toFixed(0)} MB; ` +
        `dry run ${dry.seconds.toFixed(1)} s, peak RSS ${dry.peak.toFixed(0)} MB; ` +
        `again ${again.seconds.toFixed(1)} s, peak RSS ${again.peak.toFixed(0)} MB`,
      JSON.stringify([dry.counts, first.counts, again.counts]),
    )
  }
}

try {
  console.log(`${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}`)
  for (const count of sizes) await measure(count)
} finally {
  await rm(folder, { recursive: true, force: true })
}
