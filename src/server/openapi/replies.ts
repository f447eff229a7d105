import { ApprovalRequested } from '#contract/schemas/approvals.ts'
import type { Route } from '#contract/route.ts'
import { readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { temporaryCodes } from '#server/lib/errors.ts'
import { buildExample } from './examples/build-example.ts'
import { listRefusals, type DocumentedRefusal } from './refusals.ts'
import { type ReplyHeaderName, takesIdempotencyKey } from './parameters.ts'
import type { SchemaBook } from './schemas.ts'
import type { Example, Json, Reply } from './types.ts'

/** Replies that are not JSON of the contract. */
const rawReplies: Partial<Record<CallName, [type: string, description: string]>> = {
  'documents.proxy': ['image/*', 'The image.'],
  'bank.file': ['application/octet-stream', 'The bytes of the file, sent as an attachment.'],
  'live.stream': ['text/event-stream', 'Events whose data is a LiveEvent as JSON; a comment every 15 seconds.'],
  'openApi.document': ['application/json', 'The OpenAPI document.'],
  'openApi.reader': ['text/html', 'The page.'],
}

const referenceHeaders = (names: ReplyHeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const limits: ReplyHeaderName[] = ['RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** The calls whose reply contains the version of its subject. */
const versionedCalls = new Set<CallName>([
  'platform.saveMember',
  'platform.member',
  'platform.saveOrder',
  'platform.order',
  'platform.completeOrder',
  'platform.saveToken',
])

function describeSuccess({ name, group, key, route }: NamedRoute, book: SchemaBook, example: Json | undefined): Reply {
  const headers = {
    headers: referenceHeaders([
      'X-Request-Id',
      ...(readScope(route.access) !== null ? limits : []),
      ...(versionedCalls.has(name) ? (['ETag'] as const) : []),
      ...(takesIdempotencyKey.includes(name) ? (['Idempotent-Replayed'] as const) : []),
    ]),
  }
  if (route.reply) {
    const schema = book.describe(route.reply, 'output')
    const media = { schema, example: example ?? buildExample(schema, book.named, key) }
    return { description: 'Done.', ...headers, content: { 'application/json': media } }
  }
  const csv: [string, string] = ['text/csv', 'A CSV file in UTF-8, sent as an attachment.']
  const [type, description] = rawReplies[name] ?? csv
  if (!rawReplies[name] && !['exports', 'analytics', 'bulk'].includes(group))
    throw new Error(`${name}: what does it answer?`)
  return {
    description,
    ...headers,
    content: { [type]: { schema: type === 'application/json' ? { type: 'object' } : { type: 'string' } } },
  }
}

/** The reply of a call that needs an approval. */
const describeRequested = (book: SchemaBook): Reply => ({
  description: 'A rule says that a second operator approves it: nothing is changed yet.',
  headers: referenceHeaders(['X-Request-Id']),
  content: { 'application/json': { schema: book.describe(ApprovalRequested, 'output') } },
})

const titles: Record<number, string> = {
  400: 'Something of the call is wrong; the message names it.',
  401: 'Nobody known asks.',
  403: 'Not allowed.',
  404: 'It does not exist.',
  408: 'Too slow.',
  409: 'It stands otherwise than the call supposes; nothing was changed.',
  413: 'Too large.',
  415: 'Not a form that is read.',
  417: 'Not an expectation that is met.',
  421: 'The console does not answer by the name that was called.',
  429: 'Too many calls.',
  431: 'Too large headers.',
  500: "A fault of ours; the console's log holds the whole under `requestId`.",
  502: 'The blockchain node gave no answer that can be used.',
  503: 'Not possible right now.',
  504: 'The blockchain node was too slow.',
}

const errorSchema = { $ref: '#/components/schemas/ErrorReply' }

function describeRefused(status: number, refusals: DocumentedRefusal[], { access }: Route): Reply {
  const examples: Record<string, Example> = Object.fromEntries(
    refusals.map(({ code, message }) => {
      const value = { message, code, ...(status >= 500 && { requestId: '5e1c1f0a-0c0c-4c9e-9f4e-2f8f0c5a7d11' }) }
      return [code, { value }]
    }),
  )
  const names: ReplyHeaderName[] = ['X-Request-Id']
  if (refusals.some(({ code }) => temporaryCodes.has(code))) names.push('Retry-After')
  if (status === 401 && readScope(access) !== null) names.push('WWW-Authenticate')
  const title = titles[status]
  if (title === undefined) throw new Error(`${status}: what does it mean?`)
  const codes = refusals.map(({ code }) => `\`${code}\``).join(', ')
  return {
    description: `${title} Code: ${codes}.`,
    headers: referenceHeaders(names),
    content: { 'application/json': { schema: errorSchema, examples } },
  }
}

export function describeReplies(named: NamedRoute, book: SchemaBook, example: Json | undefined): Record<string, Reply> {
  const { reply, raw } = named.route
  const replies: Record<string, Reply> =
    reply || raw
      ? { 200: describeSuccess(named, book, example) }
      : { 204: { description: 'Done; no body.', headers: referenceHeaders(['X-Request-Id']) } }
  if (named.route.compressed)
    replies[304] = {
      description: 'As the answer with the ETag that `If-None-Match` names: no body.',
      headers: referenceHeaders(['X-Request-Id']),
    }
  if (named.route.approvals) replies[202] = describeRequested(book)
  for (const [status, refusals] of Map.groupBy(listRefusals(named), (refusal) => refusal.status))
    replies[status] = describeRefused(status, refusals, named.route)
  return replies
}

/** The documented statuses of a call. */
export const listStatuses = (named: NamedRoute): Set<number> =>
  new Set([
    named.route.reply || named.route.raw ? 200 : 204,
    ...(named.route.compressed ? [304] : []),
    ...(named.route.approvals ? [202] : []),
    ...listRefusals(named).map(({ status }) => status),
  ])
