import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as z from 'zod'
import { isSigned } from '#server/adapters/standard-webhooks.ts'
import type { ReceivedCase } from './results.ts'

const SentCase = z.object({
  type: z.literal('kyc.submitted'),
  caseId: z.string(),
  userId: z.string(),
  attemptNumber: z.int(),
  requestedBy: z.enum(['operator', 'queue']),
})

/** Answers a request. Returns whether the case was accepted. */
type Responder = (response: ServerResponse, isFirst: boolean) => boolean

const respondJson = (status: number, body: object, headers: Record<string, string> = {}): Responder => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    return status < 300
  }
}
const accepted = respondJson(202, { status: 'accepted' })

/**
 * The last character of the user id decides the answer to a case, so that an operator can see each outcome:
 *
 * | ends in | answer |
 * |---|---|
 * | `c` | 422, refused with a reason, every time |
 * | `d` | 500, every time |
 * | `e` | none: the try times out |
 * | `f` | 503 at first, accepted when the same sending is tried again |
 * | anything else | 202, accepted |
 *
 * An accepted case that an operator has submitted gets a result a moment later:
 *
 * | ends in | result |
 * |---|---|
 * | `a` | approves the member by itself |
 * | `b` | rejects the member by itself, with a reason |
 * | `8` | says rejected, with a reason; the operator decides |
 * | `9` | goes on reviewing |
 * | anything else | says approved; the operator decides |
 */
const respondersByEnding: Record<string, Responder> = {
  c: respondJson(422, {
    status: 'refused',
    reason: 'The document type is not supported for this country of residence',
  }),
  d: respondJson(500, { status: 'error', reason: 'Internal error' }),
  e: () => false,
  f: (response, isFirst) =>
    (isFirst ? respondJson(503, { status: 'busy', reason: 'Try again later' }, { 'retry-after': '20' }) : accepted)(
      response,
      isFirst,
    ),
}

const maxBytes = 64 * 1024
const maxRemembered = 10_000

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What is known about a case by its id: whether an operator sent it, and whether it was accepted. */
interface CaseState {
  isOperators: boolean
  isTaken: boolean
}

/**
 * A small KYC provider for the demo platform. Accepts only what is signed with `secret`. Calls `onTaken` once for each case that
 * an operator has sent, with the same `id` for the same sending.
 */
export function createSandboxProvider(
  secret: string,
  onTaken: (taken: ReceivedCase, id: string) => void = () => {},
): Server {
  const seen = new Map<string, CaseState>()
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.method !== 'POST') return respondJson(405, { status: 'error', reason: 'POST only' })(response, true)
    const body = await readBody(request)
    if (body === undefined) return respondJson(413, { status: 'error', reason: 'Too large' })(response, true)
    if (!isSigned([secret], request.headers, body, new Date()))
      return respondJson(401, { status: 'error', reason: 'Wrong signature' })(response, true)
    const given = SentCase.safeParse(JSON.parse(body))
    if (!given.success) return respondJson(400, { status: 'error', reason: 'Not a case' })(response, true)
    const id = String(request.headers['webhook-id'])
    const { userId, requestedBy } = given.data
    const before = seen.get(id)
    if (seen.size >= maxRemembered) seen.clear()
    const isTaken = (respondersByEnding[userId.at(-1) ?? ''] ?? accepted)(response, before === undefined)
    // The queue continues what an operator began.
    const isOperators = before?.isOperators ?? requestedBy === 'operator'
    seen.set(id, { isOperators, isTaken: isTaken || before?.isTaken === true })
    if (isTaken && isOperators && !before?.isTaken) onTaken(given.data, id)
    return undefined
  }
  return createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
}
