import type { Ctx } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/http/client-address.ts'
import type { RefusalKind, RefusalTally } from '#server/http/refusal-tally.ts'
import type { Message } from './message.ts'

type Verdict = Exclude<Message['signature'], 'valid'>

/** Of what bears no signature of ours, this much of the log is filled in a minute, whoever sends it. */
const mostKept = 30

const kind = (severity: RefusalKind['severity'], came: string): RefusalKind => ({
  type: 'signature_refused',
  severity,
  description: `A KYC result came ${came}`,
  summary: (refused) => `${refused.toLocaleString('en')} KYC results came ${came} within a minute`,
  threshold: 1,
})
const kinds: Record<Verdict, RefusalKind> = {
  missing: kind('medium', 'without a signature'),
  invalid: kind('high', 'with a signature that is not the provider’s'),
  stale: kind('medium', 'with a signature of another time'),
  replayed: kind('low', 'again, unchanged, after it was taken'),
}

const reasons: Record<Verdict, string> = {
  missing: 'it is missing',
  invalid: 'it is not by a secret that this console knows',
  stale: 'its time is more than 5 minutes from now',
  replayed: 'it was taken before',
}

/** Counts a message that its signature speaks against; answers whether it has room in the log. */
export function countRefusal(refusals: RefusalTally, { ipAddress }: Ctx, signature: Verdict): boolean {
  return refusals.count(kinds[signature], { name: networkOf(ipAddress ?? ''), ipAddress }) <= mostKept
}

export const signatureRefusal = (signature: Verdict) =>
  new AppError('unauthorized', `Unauthorized: the signature is refused, ${reasons[signature]}`)

/** Where nobody has a secret, nothing that comes is read. Throws unauthorized. */
export function requireProvider({ config, kycProvider, ...ctx }: Ctx, refusals: RefusalTally): void {
  if (config.kycWebhookSecrets.length > 0 || config.sumsubWebhookSecret || kycProvider.hasSandbox) return
  countRefusal(refusals, { ...ctx, config, kycProvider }, 'invalid')
  throw new AppError('unauthorized', 'Unauthorized: no KYC provider is configured here: set KYC_WEBHOOK_SECRET')
}
