import { passiveHeader } from '#contract/live.ts'
import { isForAdmins } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'
import { buildExample, joinNames } from './examples/build-example.ts'
import type { SchemaBook } from './schemas.ts'
import type { Header, Parameter, Scalar, Schema } from './types.ts'

const texts: Record<string, string> = {
  page: 'Which page, from 1.',
  after: 'Where to go on: `next` of an earlier answer. Leave it out to begin.',
  updatedSince: 'Begin with the changes of this instant; what was changed up to a minute before may come as well.',
  limit: 'Rows a page.',
  search: 'A substring of at least three letters or digits, or a whole key.',
  total: '`exact` counts on where more than 10,000 rows, or 1,000 hits of a search, match: up to 1,000,000.',
  timeZone: 'An IANA time zone; "today" is counted in it.',
  orderNumber: "The platform's own order number.",
  address: 'The wallet. In mixed case it must match its EIP-55 checksum.',
  contractAddress: 'The contract. In mixed case it must match its EIP-55 checksum.',
  walletAddress: 'The wallet. In mixed case it must match its EIP-55 checksum.',
  attempt: 'Which attempt, from 1. Never lower than the latest one.',
  transactionId: "The platform's own id of the movement.",
  fractionId: "The platform's own id of the fraction.",
  kind: 'Which kind.',
  token: 'As the token call answered it.',
  dryRun: '`true` says what would come of it, and stores nothing.',
  batch: 'A name of your own. Sent again under it after a broken connection, the import goes on where it stopped.',
  fileName: 'The name of the file, by which people know it.',
  accountId: 'The bank account; of an import, that of a CSV file, which does not name it.',
  attention: 'Only those that a notice is about, as the notices count them.',
  age: 'Work that was booked so many days ago, by the calendar of UTC.',
  currency: 'Of the accounts in this currency.',
  takeRows:
    'Rows of a CSV file that `knownLines` has named and that are payments of their own, as `4,9`. Of a file that was imported before, these rows alone.',
  csvProfile:
    'As JSON, only with `dryRun`: how a CSV file is read instead of by the columns that were confirmed for its account.',
  payers: '`shown`: with the names and accounts of payers.',
  q: 'What to look for.',
  expiring: 'Only those that wait for payment and expire within a day, on the day after (`48h`), or later.',
  waiting: 'Only pending ones that have waited for so many hours, from one to less than the other: `24-48`, or `120-`.',
  submission:
    'By the outcome of the KYC that the member submitted; `any`: anyone who has submitted, `none`: anyone who has not.',
  period: 'The days, or the weeks of three months, up to today.',
  compare: 'With the period before, or with the same weekdays a year before.',
  tokenAddress: 'The token’s contract.',
  undecided: '`true`: only the latest attempt of each member who is neither approved nor rejected.',
  created: '`today`: only those since midnight in `timeZone`.',
  userId: "The member, by the platform's own id.",
  unreached: '`24h`: only cases that failed within the last day and have not reached the provider since.',
  action:
    'What is done: a decision on a KYC case, or in the log of admin actions a family such as `login` or one action.',
}

const requestHeaders = {
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `version` that the decision was made on, or `*` for any that there is. Where it is no longer the present one: 409 `stale`.',
    schema: { type: 'string', pattern: '^(\\*|"?[1-9]\\d{0,8}"?)$' },
    example: '"3"',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: '`*`: create only. Where there is one already: 409 `stale`.',
    schema: { type: 'string', enum: ['*'] },
    example: '*',
  },
  knownETag: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier answer: the same content is 304, without a body.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      '1 to 255 visible characters of your choice. Within 24 hours the same call under the same key answers what it answered the first time, and is done once; another call under it is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'complete-ORD-1',
  },
  batchKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same as `batch`. Where both are given they are equal.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  contentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    required: false,
    description: 'Of lines that come packed.',
    schema: { type: 'string', enum: ['gzip'] },
  },
  lastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The last event that was received: the stream goes on behind it. Browsers send it by themselves.',
    schema: { type: 'string' },
  },
  passive: {
    name: passiveHeader,
    in: 'header',
    required: false,
    description: 'Any value: the call does not count as the operator’s activity, so it keeps no session alive.',
    schema: { type: 'string' },
    example: '1',
  },
} satisfies Record<string, Parameter>

/** The signature headers of all KYC providers. */
const signatureHeaders: Parameter[] = resultProviders
  .flatMap(({ description }) => description.headers)
  .map(({ name, description, example }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    example,
  }))

export const takesIdempotencyKey: readonly CallName[] = [
  'platform.completeOrder',
  'platform.testEvents',
  'platform.bankStatements',
]

function listHeaders(named: NamedRoute): Parameter[] {
  const { name, route } = named
  const asked: Parameter[] = []
  if (route.versioned) asked.push(requestHeaders.ifMatch)
  if (route.versioned && route.method === 'PUT' && readScope(route.access) !== null)
    asked.push(requestHeaders.ifNoneMatch)
  if (route.compressed) asked.push(requestHeaders.knownETag)
  if (takesIdempotencyKey.includes(name)) asked.push(requestHeaders.idempotencyKey)
  if (name === 'platform.import') asked.push(requestHeaders.batchKey, requestHeaders.contentEncoding)
  if (name === 'live.stream') asked.push(requestHeaders.lastEventId)
  if (isForAdmins(route.access) && route.method === 'GET' && !route.passive) asked.push(requestHeaders.passive)
  return route.access === 'provider' ? [...asked, ...signatureHeaders] : asked
}

const withDescription = (description: string | undefined) => (description ? { description } : {})

/** Path, query and header parameters of a call. `given` are values of the example; what is required has one anyway. */
export function describeParameters(
  named: NamedRoute,
  book: SchemaBook,
  given: Record<string, Scalar> = {},
): Parameter[] {
  const { params, query, path } = named.route
  const isOfMember = /\/(users|members)\/:id/.test(path)
  const idText = isOfMember ? "The member's id, as the platform gave it." : "The console's own id of it."
  const read = (schema: typeof params, where: 'path' | 'query'): Parameter[] => {
    if (!schema) return []
    const { properties = {}, required = [] }: Schema = book.describe(schema, 'input')
    return Object.entries(properties).map(([name, property]) => {
      const isRequired = where === 'path' || required.includes(name)
      const place = isOfMember ? joinNames('user', name) : name
      // What stands in an address is not a list and no object.
      const composed = isRequired ? (buildExample(property, book.named, place) as Scalar) : undefined
      const example = given[name] ?? composed
      return {
        name,
        in: where,
        required: isRequired,
        ...withDescription(name === 'id' ? idText : texts[name]),
        schema: property,
        ...(property.type === 'array' && { explode: false as const }),
        ...(example !== undefined && { example }),
      }
    })
  }
  // An export ignores page, limit and total.
  const asked = read(query, 'query').filter(
    ({ name }) => named.group !== 'exports' || !['page', 'limit', 'total'].includes(name),
  )
  return [...read(params, 'path'), ...asked, ...listHeaders(named)]
}

/** The headers of replies. */
export const replyHeaders = {
  'X-Request-Id': {
    description: 'Under this id the console’s log and audit log have the request.',
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description: 'The `version` of the answer, in quotes: what a later `If-Match` names.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true`: the answer of an earlier call with this `Idempotency-Key`, given again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': { description: 'How to authenticate: `Bearer`.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds until it is worth trying again.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'Calls that a full bucket holds, and its seconds: `100;w=2`.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Calls that a full bucket holds.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Calls that are left in the bucket.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the bucket is full again.', schema: { type: 'integer' } },
} satisfies Record<string, Header>
export type ReplyHeaderName = keyof typeof replyHeaders
