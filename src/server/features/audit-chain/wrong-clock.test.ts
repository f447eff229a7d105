import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { checkpointFile } from './checkpoints.ts'
import { sealAudit } from './seal.ts'
import { readVerification, verifyWhenDue } from './verify-by-clock.ts'

const server = await startServer()
const { system, services } = server
const day = 86_400_000

function setClockAhead() {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day)
  onTestFinished(() => {
    clock.mockRestore()
  })
  return clock
}

test('a checkpoint a minute is kept after the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = setClockAhead()
  const sealOne = async () => {
    await inTransaction(system, (tx) => audit(tx, system, { action: 'import', details: {} }))
    await settle(server)
    await sealAudit(system, new AbortController().signal)
    return readFileSync(checkpointFile(services.config), 'utf8').trim().split('\n').length
  }
  expect(await sealOne()).toBe(1)
  clock.mockRestore()
  expect(await sealOne()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(await sealOne()).toBe(2)
})

test('the log is verified soon after the clock was set back', async () => {
  const future = new Date(Date.now() + 2 * day).toISOString()
  await server.sql(`INSERT INTO settings (name, value) VALUES ('audit_verification', $1)`, [
    JSON.stringify({ at: future, rows: 0, fault: null, checkpoints: { valid: 0, invalid: 0 } }),
  ])
  await verifyWhenDue(system, new AbortController().signal)
  const verified = await readVerification(services.database)
  expect(Date.parse(verified!.at)).toBeLessThan(Date.now() + 1000)
})
