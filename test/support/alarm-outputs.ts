import type { Severity } from '#contract/security.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { sendAlarms } from '#server/features/alarms/service.ts'
import type { AlarmRecord } from '#server/features/alarms/records.ts'
import type { AlarmOutputName } from '#contract/alarms.ts'
import { startFakeProvider, type ProviderCall } from './fakes/kyc-provider.ts'
import { startServer } from './server.ts'
import { settle } from './settle.ts'

const never = new AbortController().signal

export const readRecords = ({ body }: ProviderCall) =>
  (JSON.parse(body) as { data: { records: AlarmRecord[] } }).data.records

/** A console that posts its alarms to a fake collector, and what brings some about. Close the collector at the end. */
export async function startAlarmServer(environment: Record<string, string> = {}) {
  const collector = await startFakeProvider()
  const server = await startServer({
    ALARMS_URL: collector.url,
    ALARMS_SECRET: collector.secret,
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...environment,
  })
  const { system } = server
  const raise = (type: string, severity: Severity = 'high', description = `An event: ${type}`) =>
    inTransaction(system, (tx) => raiseSecurityEvent(tx, system, { type, severity, description, details: { a: 'b' } }))
  const write = (...ids: string[]) =>
    inTransaction(system, async (tx) => {
      for (const id of ids)
        await audit(tx, system, {
          action: 'ban_user',
          target: { type: 'user', id },
          details: { email: 'x@example.com' },
        })
    })
  /** Seals what was written, so that it can be sent. */
  async function seal() {
    await settle(server)
    await sealAudit(system, never)
  }
  const send = (ctx: Ctx = system, name: AlarmOutputName = 'webhook', stop = never) => sendAlarms(ctx, name, stop)
  const makeDue = () => server.sql(`UPDATE alarm_outputs SET next_try_at = now() - interval '1 second'`)
  const readState = async (name: AlarmOutputName = 'webhook') =>
    (await server.sql('SELECT * FROM alarm_outputs WHERE name = $1', [name]))[0]
  const received = () => collector.calls.flatMap(readRecords)
  const actions = () => received().map(({ target, action }) => target?.id ?? action)
  return { server, collector, raise, write, seal, send, makeDue, readState, received, actions }
}
