import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as z from 'zod'
import { isSigned } from '#server/adapters/standard-webhooks.ts'

const Case = z.object({ type: z.literal('kyc.submitted'), caseId: z.string(), userId: z.string() })

type Answer = (response: ServerResponse, isFirst: boolean) => void

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const accepted = json(202, { status: 'accepted' })

/**
 * What becomes of a case is told by the last character of its user id, so that an operator can see each outcome at will:
 *
 * | ends in | answer |
 * |---|---|
 * | `c` | 422, refused with a reason, every time |
 * | `d` | 500, every time |
 * | `e` | none: the try times out |
 * | `f` | 503 at first, accepted when the same sending is tried again |
 * | anything else | 202, accepted |
 */
const answers: Record<string, Answer> = {
  c: json(422, { status: 'refused', reason: 'The document type is not supported for this country of residence' }),
  d: json(500, { status: 'error', reason: 'Internal error' }),
  e: () => {},
  f: (response, isFirst) =>
    (isFirst ? json(503, { status: 'busy', reason: 'Try again later' }, { 'retry-after': '20' }) : accepted)(
      response,
      isFirst,
    ),
}

const mostBytes = 64 * 1024
const mostRemembered = 10_000

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A small KYC provider for the demo platform. It takes what is signed with `secret` and knows nobody else. */
export function sandboxProvider(secret: string): Server {
  const seen = new Set<string>()
  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST') return json(405, { status: 'error', reason: 'POST only' })(response, true)
    const body = await readBody(request)
    if (body === undefined) return json(413, { status: 'error', reason: 'Too large' })(response, true)
    if (!isSigned([secret], request.headers, body, new Date()))
      return json(401, { status: 'error', reason: 'Wrong signature' })(response, true)
    const given = Case.safeParse(JSON.parse(body))
    if (!given.success) return json(400, { status: 'error', reason: 'Not a case' })(response, true)
    const id = String(request.headers['webhook-id'])
    const isFirst = !seen.has(id)
    if (seen.size >= mostRemembered) seen.clear()
    seen.add(id)
    ;(answers[given.data.userId.at(-1) ?? ''] ?? accepted)(response, isFirst)
  }
  return createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
}
