import { and, asc, count, eq, isNull, min } from 'drizzle-orm'
import type { Factor } from '#contract/schemas/factors.ts'
import { adminOf, type Ctx } from '#server/core/context.ts'
import { adminFactors, recoveryCodes } from '#server/db/tables/factors.ts'
import { findPasskeyProblem } from './relying-party.ts'

/** The fields of a factor that calls may answer. */
export const factorColumns = {
  id: adminFactors.id,
  kind: adminFactors.kind,
  name: adminFactors.name,
  createdAt: adminFactors.createdAt,
  lastUsedAt: adminFactors.lastUsedAt,
}

/** The factors of the signed-in admin, the oldest first, and how many recovery codes are left. */
export async function listFactors(ctx: Ctx, askedHost: string) {
  const { id } = adminOf(ctx)
  const { db } = ctx.database
  const factors: Factor[] = await db
    .select(factorColumns)
    .from(adminFactors)
    .where(eq(adminFactors.adminId, id))
    .orderBy(asc(adminFactors.id))
  const [codes] = await db
    .select({ left: count(), createdAt: min(recoveryCodes.createdAt) })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.adminId, id), isNull(recoveryCodes.usedAt)))
  return {
    factors,
    recoveryCodes: codes!,
    isRequired: ctx.config.isMfaRequired,
    passkeyProblem: findPasskeyProblem(ctx.config, askedHost),
  }
}
