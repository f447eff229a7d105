import type { Ctx } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { readNetwork } from '#server/http/client-address.ts'
import type { RefusalKind, RefusalTally } from '#server/http/refusal-tally.ts'
import type { RefusedSignature } from './outcome.ts'
import { resultProviders } from './providers/registry.ts'

/** Messages without a valid signature fill at most this many rows of the log per minute, from all senders together. */
const maxLogged = 30

const refusalKind = (severity: RefusalKind['severity'], came: string): RefusalKind => ({
  type: 'signature_refused',
  severity,
  description: `A KYC result came ${came}`,
  summary: (refused) => `${refused.toLocaleString('en')} KYC results came ${came} within a minute`,
  threshold: 1,
})
const refusalKinds: Record<RefusedSignature | 'replayed', RefusalKind> = {
  missing: refusalKind('medium', 'without a signature'),
  invalid: refusalKind('high', 'with a signature that is not the provider’s'),
  stale: refusalKind('medium', 'with a signature of another time'),
  replayed: refusalKind('low', 'again, unchanged, after it was taken'),
}

/** Counts a message with a bad signature. Returns whether the log has room for it. */
export function countRefusal(
  refusals: RefusalTally,
  { ipAddress }: Ctx,
  signature: keyof typeof refusalKinds,
): boolean {
  return refusals.count(refusalKinds[signature], { name: readNetwork(ipAddress ?? ''), ipAddress }) <= maxLogged
}

/** Refuses everything while no provider has a secret. Throws unauthorized. */
export function requireProvider(ctx: Ctx, refusals: RefusalTally): void {
  if (resultProviders.some((provider) => provider.isConfigured(ctx))) return
  countRefusal(refusals, ctx, 'invalid')
  throw new AppError('unauthorized', 'Unauthorized: no KYC provider is configured here: set KYC_WEBHOOK_SECRET')
}
