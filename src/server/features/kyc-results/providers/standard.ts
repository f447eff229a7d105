import { KycResult } from '#contract/schemas/platform-api.ts'
import { trimText } from '#contract/visible.ts'
import { judgeSignature } from '#server/adapters/standard-webhooks.ts'
import type { Services } from '#server/core/context.ts'
import { buildFactsExcerpt, readNames } from './fields.ts'
import type { CaseResult, Content, Reading, ResultProvider } from './provider.ts'
import { joinProblems, listProblems } from '#server/http/problems.ts'

/** The console's own form, signed by the Standard Webhooks scheme. */
export const standard: ResultProvider = {
  name: 'standard',
  isConfigured: ({ config, kycProvider }) => config.kycWebhookSecrets.length > 0 || kycProvider.hasSandbox,
  matches: (headers) => headers['webhook-signature'] !== undefined,
  verify: async (services, { headers, body, at }) => judgeSignature(await findSecrets(services), headers, body, at),
  read(headers, json) {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
    return {
      ...common,
      id: typeof id === 'string' ? id.slice(0, longestId + 1) : null,
      sentAt: /^\d{1,10}$/.test(String(timestamp)) ? new Date(Number(timestamp) * 1000).toISOString() : null,
      ...readFacts(json),
      content: readContent(String(id), json),
    }
  },
  retries: 'signed again',
  description: {
    signature: 'Standard Webhooks',
    text: null,
    securityScheme: {
      name: 'standardWebhook',
      scheme: {
        type: 'apiKey',
        in: 'header',
        name: 'webhook-signature',
        description:
          'Standard Webhooks: `webhook-id`, `webhook-timestamp` (at most 5 minutes off) and `webhook-signature` over `id.timestamp.body`, by the shared secret.',
      },
    },
    headers: [
      {
        name: 'webhook-id',
        description: 'Standard Webhooks: the message’s id, the same over all tries.',
        example: 'msg_2b7e',
      },
      {
        name: 'webhook-timestamp',
        description: 'Standard Webhooks: seconds since 1970, at most 5 minutes off.',
        example: '1767607200',
      },
      {
        name: 'webhook-signature',
        description: 'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.',
        example: 'v1,g0hM9SsE…',
      },
    ],
    body: { $ref: '#/components/schemas/KycResult' },
  },
}

const common = { type: 'kyc.result' }

/** An index contains the ids. */
const longestId = 200

const excerptFields = ['type', 'caseId', 'userId', 'attemptNumber', 'result', 'kycScore', 'autoProcessed'] as const
const readFacts = (json: unknown) => ({
  named: readNames(json, 'userId'),
  excerpt: buildFactsExcerpt(json, excerptFields),
})

/** The secrets of the configured provider, or of the sandbox. */
async function findSecrets({ config, kycProvider }: Services): Promise<readonly string[]> {
  const sandbox = kycProvider.hasSandbox ? await kycProvider.find() : undefined
  return [...config.kycWebhookSecrets, ...(sandbox?.secrets ?? [])]
}

function readContent(id: string, json: unknown): Content {
  const given = KycResult.safeParse(json)
  if (given.error) {
    const details = listProblems(given.error.issues, 'body')
    return { kind: 'malformed', problem: joinProblems(details), details }
  }
  if (id.length > longestId)
    return { kind: 'malformed', problem: `webhook-id: must have at most ${longestId} characters` }
  return { kind: 'result', result: readResult(given.data) }
}

const readResult = ({ userId, attemptNumber, caseId, ...given }: KycResult): CaseResult => ({
  subject: { by: 'attempt', userId, attemptNumber, caseId },
  result: given.result,
  kycScore: given.kycScore,
  reason: trimText(given.reason) || null,
  isFinal: false,
  notes: null,
  autoProcessed: given.autoProcessed,
  resultAt: given.resultAt ?? null,
})

/** The reading of the provider's result at `sentAt`, as if its signed message had arrived. */
export const toReading = (given: KycResult, id: string, sentAt: string): Reading => ({
  ...common,
  id,
  sentAt,
  ...readFacts(given),
  content: { kind: 'result', result: { ...readResult(given), resultAt: given.resultAt ?? sentAt } },
})
