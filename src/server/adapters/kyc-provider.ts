import type { Config } from '#server/core/config.ts'
import { postSigned, type TryOutcome } from './signed-post.ts'

/** The message to the provider: a case, and who requested it now. */
export interface CaseRequest extends KycCase {
  requestedBy: 'operator' | 'queue'
}

/** A case in its present state. Documents are not sent. */
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

/** The fields that identify a person. */
export const personalFields = ['email', 'legalFirstName', 'legalLastName', 'dateOfBirth'] as const

/** The body of a case. */
export const buildCaseBody = (sent: KycCase): string => JSON.stringify({ type: 'kyc.submitted', ...sent })

export interface ProviderAddress {
  url: string
  secrets: readonly string[]
  /** Our sandbox on loopback. `WEBHOOK_ALLOW_PRIVATE` does not apply to it. */
  isSandbox: boolean
}

/** Sends cases to the KYC provider. */
export interface KycProvider {
  /** Whether cases go to the sandbox, because no address is set. */
  hasSandbox: boolean
  /** Where cases go. Undefined while no provider is set, or the sandbox is starting. */
  find(): Promise<ProviderAddress | undefined>
  /** Makes one try. A failure is an outcome. `webhookId` is the same in all tries. */
  send(to: ProviderAddress, webhookId: string, sent: CaseRequest, signal: AbortSignal): Promise<TryOutcome>
}

/** For headers and body together (product 11.1). */
const timeoutMs = 10_000

interface ProviderOptions {
  /** Finds the sandbox. Used if no address is set. */
  findSandbox?: () => Promise<ProviderAddress | undefined>
}

export function createKycProvider(config: Config, { findSandbox }: ProviderOptions = {}): KycProvider {
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
      })
    },
  }
}
