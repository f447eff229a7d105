/**
 * How fast an import is, and whether its memory stays flat: writes a file of `members` lines, then one of mixed lines,
 * to a temporary folder and brings each into a throw-away embedded database, twice.
 *
 *   node bench/import.ts [members, default 100000]
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { contextFor } from '#server/context.ts'
import { importStream } from '#server/platform/import.ts'
import { layFoundation } from '#server/start.ts'

const count = Number(process.argv[2] ?? 100_000)
const padded = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
const instant = (n: number) => new Date(Date.UTC(2025, 0, 1) + n * 61_000).toISOString()

const member = (n: number) => ({
  type: 'member',
  id: `m-${padded(n, 8)}`,
  email: `member.${n}@mail.example`,
  legalPhone: `+351 9${n}`,
  legalFirstName: ['Ana', 'José', 'Łucja', '王', 'Олена'][n % 5],
  legalLastName: `Lima ${n}`,
  createdAt: instant(n),
})

function* members() {
  for (let n = 0; n < count; n++) yield `${JSON.stringify(member(n))}\n`
}

function* mixed() {
  for (let n = count; n < count + count / 5; n++) {
    const memberId = `m-${padded(n, 8)}`
    const createdAt = instant(n)
    const address = `0x${padded(n, 40)}`
    const token = `0x${padded(7, 40)}`
    const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Portugal' }
    const decision = n % 2 === 0 ? { decision: { result: 'approved', decidedAt: createdAt } } : {}
    const lines = [
      member(n),
      { type: 'wallet', memberId, address, createdAt },
      { type: 'kyc', memberId, attempt: 1, step2, submit: true, submittedAt: createdAt, ...decision },
      {
        type: 'transaction',
        id: `t-${n}`,
        memberId,
        kind: 'deposit',
        amount: '250.75',
        status: 'completed',
        createdAt,
      },
      {
        type: 'chainTransaction',
        transactionHash: `0x${padded(n, 64)}`,
        logIndex: 0,
        walletAddress: address,
        transactionType: 'deposit',
        tokenAddress: token,
        amount: '10.5',
        status: 'completed',
        createdAt,
      },
    ]
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const foundation = await layFoundation(config, pino({ level: 'silent' }), () => {})
const ctx = contextFor(foundation.services, { kind: 'system', name: 'bench' })

async function measure(name: string, lines: () => Iterable<string>) {
  const file = join(folder, `${name}.ndjson`)
  await pipeline(Readable.from(lines()), createWriteStream(file))
  for (const turn of ['first', 'again']) {
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
    const begun = performance.now()
    const { errors: _, ...counts } = await importStream(ctx, createReadStream(file, { highWaterMark: 256 * 1024 }))
    const seconds = (performance.now() - begun) / 1000
    clearInterval(watch)
    const size = `${((await stat(file)).size / 1e6).toFixed(0)} MB`
    const rate = Math.round((counts.accepted + counts.refused) / seconds).toLocaleString('en')
    console.log(
      `${name}, ${turn}: ${size}, ${seconds.toFixed(1)} s, ${rate} lines/s, peak RSS ${(peak / 1e6).toFixed(0)} MB`,
      counts,
    )
  }
}

try {
  await measure('members', members)
  await measure('mixed', mixed)
} finally {
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
