import type { Ctx } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/http/client-address.ts'
import type { RefusalKind, RefusalTally } from '#server/http/refusal-tally.ts'
import type { RefusedSignature } from './outcome.ts'
import { resultProviders } from './providers/registry.ts'

/** Of what bears no signature of ours, this much of the log is filled in a minute, whoever sends it. */
const mostKept = 30

const kind = (severity: RefusalKind['severity'], came: string): RefusalKind => ({
  type: 'signature_refused',
  severity,
  description: `A KYC result came ${came}`,
  summary: (refused) => `${refused.toLocaleString('en')} KYC results came ${came} within a minute`,
  threshold: 1,
})
const kinds: Record<RefusedSignature | 'replayed', RefusalKind> = {
  missing: kind('medium', 'without a signature'),
  invalid: kind('high', 'with a signature that is not the provider’s'),
  stale: kind('medium', 'with a signature of another time'),
  replayed: kind('low', 'again, unchanged, after it was taken'),
}

/** Counts a message that its signature speaks against; answers whether it has room in the log. */
export function countRefusal(refusals: RefusalTally, { ipAddress }: Ctx, signature: keyof typeof kinds): boolean {
  return refusals.count(kinds[signature], { name: networkOf(ipAddress ?? ''), ipAddress }) <= mostKept
}

/** Where nobody has a secret, nothing that comes is read. Throws unauthorized. */
export function requireProvider(ctx: Ctx, refusals: RefusalTally): void {
  if (resultProviders.some((provider) => provider.isConfigured(ctx))) return
  countRefusal(refusals, ctx, 'invalid')
  throw new AppError('unauthorized', 'Unauthorized: no KYC provider is configured here: set KYC_WEBHOOK_SECRET')
}
