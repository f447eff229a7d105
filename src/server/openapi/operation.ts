import { listPermissions } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'
import { examples } from './examples/index.ts'
import { callTexts } from './call-texts.ts'
import { describeParameters } from './parameters.ts'
import { describeReplies } from './replies.ts'
import type { SchemaBook } from './schemas.ts'
import { readTag } from './tags.ts'
import type { Json, Media, Operation, RequestBody, Scalar, Schema } from './types.ts'

/** Required fields that a schema accepts as absent, so that the server can refuse them in the words of product 9.5. */
const requiredFields: Partial<Record<CallName, string[]>> = {
  'auth.login': ['username', 'password'],
  'users.ban': ['reason'],
  'tokens.create': ['projectName', 'contractAddress', 'tokenSymbol'],
  'kycWebhooks.submit': ['userId'],
  'kycWebhooks.retry': ['userId'],
}

const rawBody: Schema = { type: 'string', format: 'binary' }
const importLineNames = ['Member', 'Wallet', 'Kyc', 'Order', 'Transaction', 'Fraction', 'Token', 'ChainTransaction']

const linesSchema: Schema = {
  oneOf: [
    { type: 'string', description: 'Lines as text, each a JSON object of one of the forms that follow.' },
    ...importLineNames.map((name) => ({ $ref: `#/components/schemas/Import${name}Line` })),
  ],
}

/** The schema of a raw body. */
function chooseRawSchema({ name }: NamedRoute): Schema {
  if (name === 'platform.import') return linesSchema
  if (name === 'platform.kycResults') return { oneOf: resultProviders.map(({ description }) => description.body) }
  return rawBody
}

function describeBody(named: NamedRoute, book: SchemaBook, example: Json | undefined): RequestBody | undefined {
  const { body, consumes } = named.route
  const shown = example === undefined ? {} : { example }
  if (consumes) {
    const media: Media = { schema: chooseRawSchema(named), ...shown }
    return { required: true, content: Object.fromEntries(consumes.map((type) => [type, media])) }
  }
  if (!body) return undefined
  const needed = requiredFields[named.name]
  const schema = book.describe(body, 'input')
  const media = { schema: needed && !schema.$ref ? { ...schema, required: needed } : schema, ...shown }
  const required = needed !== undefined || !body.safeParse({}).success
  return { required, content: { 'application/json': media } }
}

type ExampleValues = Record<string, Scalar>

const platformKey = { platformKey: [] }
const session = { session: [] }
function describeSecurity({ route: { access } }: NamedRoute): Operation['security'] {
  if (access === 'public') return []
  if (access === 'second factor') return [{ secondFactor: [] }]
  if (readScope(access) !== null) return [platformKey]
  if (access === 'provider')
    return resultProviders.map(({ description }) => ({ [description.securityScheme.name]: [] }))
  return access === 'admin or platform' ? [session, platformKey] : [session]
}

const signatures = resultProviders.map(({ description }) => description.signature).join(', or ')

/** `users.ban` → `usersBan`. */
const buildOperationId = (name: CallName) => name.replace(/\.(.)/, (_, first: string) => first.toUpperCase())

export function describeOperation(named: NamedRoute, book: SchemaBook): Operation {
  const { name, route } = named
  const { body, rawBody, ...example } = examples[name]
  // Examples have the types of the contract, whose values are JSON.
  const { params, query, reply } = example as { params?: ExampleValues; query?: ExampleValues; reply?: Json }
  const parameters = describeParameters(named, book, { params, query })
  const requestBody = describeBody(named, book, (body ?? rawBody) as Json | undefined)
  const isForProvider = route.access === 'provider'
  const scope = readScope(route.access)
  const description = [callTexts[name], scope && `Needs the scope \`${scope}\`.`].filter(Boolean).join(' ')
  const permissions = listPermissions(route.access)
  return {
    operationId: buildOperationId(name),
    summary: isForProvider ? `${route.summary}: ${signatures}` : route.summary,
    ...(description && { description }),
    tags: [readTag(named)],
    security: describeSecurity(named),
    ...(permissions.length > 0 && { 'x-permissions': permissions }),
    ...(scope && { 'x-scopes': [scope] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeReplies(named, book, reply),
  }
}

/** `/api/users/:id` → `/api/users/{id}`. */
export const toPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
