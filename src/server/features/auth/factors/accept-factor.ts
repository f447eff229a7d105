import { eq } from 'drizzle-orm'
import type { PasskeyAssertion } from '#contract/schemas/passkeys.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import type { ChallengeOwner } from './challenges.ts'
import { acceptPasskey } from './passkeys.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { readRelyingParty } from './relying-party.ts'
import { acceptTotp } from './totp.ts'

/** What an admin gives to prove that he has a factor. */
export type FactorProof =
  | { method: 'passkey'; response: PasskeyAssertion }
  | { method: 'totp'; code: string }
  | { method: 'recovery'; code: string }

/**
 * Uses a factor: a code, a challenge and a recovery code count once. Returns whether it is accepted. Writes also where
 * it is not, so the caller commits a refusal too. The caller has locked the admin's row.
 */
export async function acceptFactor(tx: Tx, ctx: Ctx, owner: ChallengeOwner, proof: FactorProof): Promise<boolean> {
  if (proof.method === 'totp') return (await acceptTotp(tx, ctx, owner.adminId, proof.code)) !== null
  if (proof.method === 'passkey') {
    const party = readRelyingParty(ctx.config)
    return party !== null && (await acceptPasskey(tx, ctx, party, owner, proof.response)) !== null
  }
  const left = await redeemRecoveryCode(tx, owner.adminId, proof.code)
  if (left !== null) await recordRecovery(tx, ctx, owner.adminId, left)
  return left !== null
}

async function recordRecovery(tx: Tx, ctx: Ctx, adminId: string, left: number): Promise<void> {
  const [admin] = await tx.select({ username: admins.username }).from(admins).where(eq(admins.id, adminId))
  const { username } = admin!
  const by = { id: adminId, name: username }
  const details = { username, left }
  await audit(tx, ctx, { action: 'use_recovery_code', by, target: { type: 'admin', id: adminId }, details })
  await raiseSecurityEvent(tx, ctx, {
    severity: 'medium',
    type: 'recovery_code_used',
    description: `${username} used a recovery code; ${left} ${left === 1 ? 'is' : 'are'} left`,
    details,
  })
}
