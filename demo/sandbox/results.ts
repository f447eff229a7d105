import { setTimeout as pause } from 'node:timers/promises'
import type { KycResult } from '#contract/schemas/platform-api.ts'
import { signHeaders } from '#server/adapters/standard-webhooks.ts'
import { sha256 } from '#server/lib/hash.ts'

export interface ReceivedCase {
  caseId: string
  userId: string
  attemptNumber: number
}

type SandboxVerdict = Pick<KycResult, 'result' | 'autoProcessed'> & { kycScore?: number; reason?: string }

/** By the last character of the user id, as in `provider.ts`. */
const verdictsByEnding: Record<string, SandboxVerdict> = {
  a: { result: 'approved', kycScore: 96, autoProcessed: true },
  b: { result: 'rejected', kycScore: 21, reason: 'The document has expired.', autoProcessed: true },
  '8': { result: 'rejected', kycScore: 38, reason: 'The photo on the document is not clear.', autoProcessed: false },
  '9': { result: 'under_review', kycScore: 61, autoProcessed: false },
}

/** The sandbox's result for a case, the same for the same member each time. */
export function decideCase({ caseId, userId, attemptNumber }: ReceivedCase): KycResult {
  const usual: SandboxVerdict = {
    result: 'approved',
    kycScore: 70 + ((sha256(userId)[0] ?? 0) % 26),
    autoProcessed: false,
  }
  return { caseId, userId, attemptNumber, ...(verdictsByEnding[userId.at(-1) ?? ''] ?? usual) }
}

/** The simulated time of a review. */
const reviewMs = 1200
/** Milliseconds before further tries while the console is away. */
const pauses = [1000, 3000, 9000, 27_000]

/**
 * Sends a result to the console, signed, after a moment. Repeats it under the same id while the console is away or busy.
 * `findConsole` returns the console's address once it is known.
 */
export async function sendResult(
  { id, secret, findConsole }: { id: string; secret: string; findConsole: () => string | undefined },
  result: KycResult,
): Promise<void> {
  const body = JSON.stringify(result)
  for (const ms of [reviewMs, ...pauses]) {
    await pause(ms)
    if (await postResult(findConsole(), body, signHeaders([secret], id, body, new Date()))) return
  }
}

/** Whether the result is settled: accepted, or refused for good. */
async function postResult(
  address: string | undefined,
  body: string,
  headers: Record<string, string>,
): Promise<boolean> {
  if (address === undefined) return false
  try {
    const { status } = await fetch(new URL('/api/platform/v1/kyc-results', address), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    })
    return status < 500 && status !== 429
  } catch {
    return false
  }
}
