import { lineLeaseMinutes } from '#contract/reconciliation.ts'
import { buildClaimedError, type ClaimKind, readClaim } from '#server/core/claims.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankClaims } from '#server/db/tables/bank-parts.ts'

/** The line that an operator has open. */
export const lineClaims: ClaimKind = {
  table: bankClaims,
  id: bankClaims.lineId,
  leaseMinutes: lineLeaseMinutes,
  refusal: { code: 'line_claimed', text: 'has this line open' },
}

/** Throws line_claimed while another operator has the line open. */
export async function requireUnclaimed(tx: Tx, { actor }: Ctx, lineId: string): Promise<void> {
  const claim = await readClaim(tx, lineClaims, lineId)
  if (claim && !(actor.kind === 'admin' && actor.id === claim.adminId)) throw buildClaimedError(lineClaims, claim)
}
