/**
 * What the audit chain and the MACs of messages cost a write: bans and their ends by eight operators at once, each with an audit
 * row, an event and its message. Rounds with and without take turns in one run; the median of the ratios counts.
 *
 *   node bench/audit-chain.ts [rounds, default 15] [seconds a round, default 3]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { signMessage } from '#server/core/message-mac.ts'
import { connectPool } from '#server/db/client.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { banMember, unbanMember } from '#server/features/members/ban.ts'
import { openServerBase } from '#server/process/start.ts'
import { median } from './measuring.ts'

const rounds = Number(process.argv[2] ?? 15)
const seconds = Number(process.argv[3] ?? 3)
const writers = 8

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const foundation = await openServerBase(config, pino({ level: 'silent' }), () => {})
const superuser = connectPool({ ...foundation.owner, options: '' }, () => {})
const ctx = contextFor(foundation.services, { kind: 'system', name: 'bench' })

/** Writes for the length of a round. Returns writes a second. */
async function writeFor(prefix: string): Promise<number> {
  const end = performance.now() + seconds * 1000
  const begun = performance.now()
  const counts = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const id = `${prefix}-${writer}`
      let count = 0
      while (performance.now() < end) {
        await (count % 2 === 0
          ? banMember(ctx, id, { reason: 'Fraud', ifMatch: undefined })
          : unbanMember(ctx, id, undefined))
        count++
      }
      return count
    }),
  )
  return counts.reduce((sum, each) => sum + each, 0) / ((performance.now() - begun) / 1000)
}

async function measure(prefix: string, isSealed: boolean): Promise<number> {
  await superuser.pool.query(
    'INSERT INTO members (id, email) SELECT $1 || n, $1 || n FROM generate_series(0, $2) AS n',
    [`${prefix}-`, writers - 1],
  )
  const stop = new AbortController()
  const sealing = isSealed ? sealUntil(stop.signal) : Promise.resolve()
  const rate = await writeFor(prefix)
  stop.abort()
  await sealing
  return rate
}

async function sealUntil(stop: AbortSignal) {
  while (!stop.aborted) {
    await sealAudit(ctx, stop)
    await pause(1000, undefined, { signal: stop }).catch(() => {})
  }
}

/** Rows without a number and without the index that the sealer reads by. MACs of messages are part of both, and measured below. */
async function prepareSealing(isOn: boolean) {
  await superuser.pool.query(
    isOn
      ? `ALTER TABLE audit_log ALTER COLUMN xid SET DEFAULT pg_current_xact_id();
         CREATE INDEX audit_log_xid ON audit_log (xid, id)`
      : `ALTER TABLE audit_log ALTER COLUMN xid SET DEFAULT '0'; DROP INDEX audit_log_xid`,
  )
}

/** Microseconds. */
function measureMac(): number {
  const calls = 20_000
  const payload = { memberId: 'm-1', membershipId: null, reason: 'Fraud' }
  const begun = performance.now()
  for (let n = 0; n < calls; n++)
    signMessage(ctx, {
      channel: 'platform',
      endpointId: '1',
      messageId: String(n),
      type: 'member.banned',
      entityType: 'member',
      entityId: 'm-1',
      attemptNumber: null,
      sequence: n,
      version: 1,
      payload,
      createdAt: '2026-01-01T00:00:00.000Z',
    })
  return ((performance.now() - begun) * 1000) / calls
}

try {
  await measure('warm-up', true)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [first, second] = round % 2 === 0 ? [true, false] : [false, true]
    const rates = new Map<boolean, number>()
    for (const isSealed of [first, second]) {
      if (!isSealed) await prepareSealing(false)
      rates.set(isSealed, await measure(`r${round}${isSealed}`, isSealed))
      if (isSealed) continue
      await prepareSealing(true)
    }
    const ratio = rates.get(true)! / rates.get(false)!
    ratios.push(ratio)
    console.log(
      `round ${round + 1}: ${rates.get(true)!.toFixed(0)} writes/s sealed, ${rates.get(false)!.toFixed(0)} without, ${(ratio * 100).toFixed(1)} %`,
    )
  }
  console.log(`a message's MAC: ${measureMac().toFixed(1)} µs`)
  console.log(`median of ${rounds} ratios: ${(median(ratios) * 100).toFixed(1)} %`)
} finally {
  await superuser.close()
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
