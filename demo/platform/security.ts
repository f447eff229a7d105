import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { AppError } from '#server/lib/errors.ts'
import { refuseStranger } from '#server/features/auth/service.ts'
import { listEvents, resolveEvent } from '#server/features/security/service.ts'

/** Failed sign-ins from addresses reserved for documentation. The third tries until it is locked. */
const strangers = [
  { ipAddress: '198.51.100.23', username: 'root', tries: 1 },
  { ipAddress: '192.0.2.140', username: 'administrator', tries: 2 },
  { ipAddress: '203.0.113.77', username: 'superadmin', tries: 5 },
]

/**
 * Many addresses that try one name, each too rarely to be noticed. Together they lock it for unknown devices, which is a
 * critical event. No admin may be named so, and nobody is locked out.
 */
const attackers = {
  username: 'system',
  tries: 2,
  addresses: Array.from({ length: 26 }, (_, n) => `${['198.51.100', '203.0.113', '192.0.2'][n % 3]}.${30 + n * 7}`),
}

/**
 * Creates security events and their audit rows through the real functions: failed sign-ins with unknown names, and one resolved
 * event. Skips what an incomplete fill has created.
 */
export async function makeSecurityEvents(ctx: Ctx, instant: string): Promise<void> {
  if (!(await hasEvent(ctx))) await makeFailedSignIns(ctx)
  if (!(await hasEvent(ctx, 'critical')))
    for (let attempt = 0; attempt < attackers.tries; attempt++)
      for (const ipAddress of attackers.addresses) await failToSignIn({ ...ctx, ipAddress }, attackers.username)
  await spreadEvents(ctx, instant)
}

/** Spreads the events, created within one second, over the time before the start of the demo. */
async function spreadEvents({ database }: Ctx, instant: string) {
  await database.db.execute(sql`
    UPDATE security_events SET created_at = ${instant}::timestamptz - interval '43 minutes' * (newest.id - security_events.id)
    FROM (SELECT max(id) AS id FROM security_events) newest WHERE created_at > ${instant}::timestamptz`)
}

async function makeFailedSignIns(ctx: Ctx) {
  for (const { ipAddress, username, tries } of strangers)
    for (let attempt = 0; attempt < tries; attempt++) await failToSignIn({ ...ctx, ipAddress }, username)
  const { events } = await listEvents(ctx, { page: 1, limit: 50, severity: ['low'], resolved: 'false' })
  const oldest = events.at(-1)
  if (oldest) await resolveEvent(ctx, oldest.id, { note: 'A single attempt from outside; nothing came after it.' })
}

async function hasEvent({ database }: Ctx, severity?: 'critical'): Promise<boolean> {
  const wanted = severity && eq(securityEvents.severity, severity)
  return (await database.db.select({ id: securityEvents.id }).from(securityEvents).where(wanted).limit(1)).length > 0
}

/** From the 50th failure of a name on, nothing more is counted. */
async function failToSignIn(ctx: Ctx, username: string) {
  try {
    await refuseStranger({ ...ctx, actor: { kind: 'system', name: 'nobody' } }, username)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
