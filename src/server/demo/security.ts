import type { Ctx } from '#server/context.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { AppError } from '#server/errors.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { listEvents, resolveEvent } from '#server/features/security/service.ts'

/** Strangers at the door, from addresses kept for documentation; the third tries until it is locked out. */
const strangers = [
  { ipAddress: '198.51.100.23', username: 'root', tries: 1 },
  { ipAddress: '192.0.2.140', username: 'administrator', tries: 2 },
  { ipAddress: '203.0.113.77', username: 'superadmin', tries: 5 },
]

/**
 * Security events and their audit rows, made by those who write them: failed sign-ins as names that nobody has, so that no
 * account is locked, and one event resolved. What an unfinished fill has made stays as it is.
 */
export async function makeSecurityEvents(ctx: Ctx): Promise<void> {
  if ((await ctx.database.db.select({ id: securityEvents.id }).from(securityEvents).limit(1)).length > 0) return
  for (const { ipAddress, username, tries } of strangers)
    for (let attempt = 0; attempt < tries; attempt++) await failToSignIn({ ...ctx, ipAddress }, username)
  const { events } = await listEvents(ctx, { page: 1, limit: 50, severity: 'low', resolved: 'false' })
  const oldest = events.at(-1)
  if (oldest) await resolveEvent(ctx, oldest.id, { note: 'A single attempt from outside; nothing came after it.' })
}

async function failToSignIn(ctx: Ctx, username: string) {
  const given = { username, password: 'a guess', userAgent: 'demo', presentedToken: undefined, deviceToken: undefined }
  try {
    await signIn({ ...ctx, actor: { kind: 'system', name: 'nobody' } }, given)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
