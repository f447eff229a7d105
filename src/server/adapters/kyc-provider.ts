import type { Config } from '#server/core/config.ts'
import type { Resolve } from './outbound-http.ts'
import { postSigned, type TryOutcome } from './signed-post.ts'

/** What the provider is told of a case, and who wants it looked at now. */
export interface CaseRequest extends KycCase {
  requestedBy: 'operator' | 'queue'
}

/** A case as it stands; documents stay here. */
export interface KycCase {
  caseId: string
  userId: string
  attemptNumber: number
  submittedAt: string
  email: string
  legalFirstName: string | null
  legalLastName: string | null
  dateOfBirth: string | null
  nationality: string | null
  countryOfResidence: string | null
  documentType: string | null
}

/** What of a case says who somebody is. */
export const personalFields = ['email', 'legalFirstName', 'legalLastName', 'dateOfBirth'] as const

/** A case as it is sent. */
export const buildCaseBody = (sent: KycCase): string => JSON.stringify({ type: 'kyc.submitted', ...sent })

export interface ProviderAddress {
  url: string
  secrets: readonly string[]
  /** Our own sandbox on loopback, which `WEBHOOK_ALLOW_PRIVATE` does not concern. */
  isSandbox: boolean
}

/** The KYC provider as far as the console speaks to it. */
export interface KycProvider {
  /** Whether cases go to the sandbox, for want of a set address. It has none itself while it starts. */
  hasSandbox: boolean
  /** Where cases go; undefined while no provider is set. */
  find(): Promise<ProviderAddress | undefined>
  /** One try, whose failure is an outcome too. `webhookId` is the same over all tries of one sending. */
  send(to: ProviderAddress, webhookId: string, sent: CaseRequest, signal: AbortSignal): Promise<TryOutcome>
}

interface ProviderOptions {
  /** Over headers and body together (product 11.1). */
  timeoutMs?: number
  resolve?: Resolve
  /** Where cases go when no address is set. */
  findSandbox?: () => Promise<ProviderAddress | undefined>
}

export function createKycProvider(config: Config, options: ProviderOptions = {}): KycProvider {
  const { timeoutMs = 10_000, resolve, findSandbox } = options
  const { kycWebhookUrl: url, kycWebhookSecrets: secrets } = config
  return {
    hasSandbox: !url && findSandbox !== undefined,
    find: async () => (url ? { url, secrets, isSandbox: false } : findSandbox?.()),
    async send(to, webhookId, sent, signal) {
      return postSigned({
        url: to.url,
        secrets: to.secrets,
        id: webhookId,
        body: buildCaseBody(sent),
        personal: personalFields.map((name) => sent[name]),
        timeoutMs,
        allowsPrivate: to.isSandbox || config.webhookAllowPrivate,
        signal,
        resolve,
      })
    },
  }
}
