/**
 * How fast an import is compared with `COPY` of the same rows into the same tables, with the same indexes and triggers, and
 * whether its memory stays flat: members with one wallet each, in a temporary embedded database that is emptied before each
 * turn.
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
import { contextFor } from '#server/core/context.ts'
import { connectPool, withSessionSettings } from '#server/db/client.ts'
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
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const foundation = await openServerBase(config, pino({ level: 'silent' }), () => {})
// The server's own account neither empties nor vacuums a table.
const superuser = connectPool({ ...foundation.owner, options: '' }, () => {})
const { pool } = superuser
const ctx = contextFor(foundation.services, { kind: 'system', name: 'bench' })

async function write(name: string, lines: Iterable<string>) {
  const file = join(folder, name)
  await pipeline(Readable.from(lines), createWriteStream(file))
  return file
}

async function empty() {
  await pool.query('TRUNCATE members, wallets, list_deltas, list_days, list_totals CASCADE')
  await pool.query('VACUUM FULL members, wallets')
  await pool.query('CHECKPOINT')
}

async function importFile(file: string, isDryRun = false) {
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

async function measure(count: number) {
  const [lines, members, wallets] = [
    await write('lines.ndjson', importLines(count)),
    await write('members.copy', memberRows(count)),
    await write('wallets.copy', walletRows(count)),
  ]
  for (let round = 0; round < rounds; round++) {
    await empty()
    const { password } = pool.options
    const connection = { ...withSessionSettings({ ...pool.options, password }), statement_timeout: 0 }
    const columns = 'members (id, email, legal_first_name, legal_last_name, legal_phone, created_at, version)'
    const copied =
      (await copyFile(connection, columns, members)) +
      (await copyFile(connection, 'wallets (member_id, address, created_at)', wallets))
    await empty()
    const dry = await importFile(lines, true)
    const first = await importFile(lines)
    const again = await importFile(lines)
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
  await superuser.close()
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
