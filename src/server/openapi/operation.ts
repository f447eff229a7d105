import { listPermissions } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import type { CallName, NamedRoute } from '#contract/schemas/routes.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'
import { buildExample } from './examples/build-example.ts'
import { callExamples } from './examples/calls.ts'
import { callTexts } from './call-texts.ts'
import { importLineNames } from './components.ts'
import { describeParameters } from './parameters.ts'
import { describeReplies } from './replies.ts'
import type { SchemaBook } from './schemas.ts'
import { readTag } from './tags.ts'
import type { Json, Media, Operation, RequestBody, Schema } from './types.ts'

/** Required fields that a schema accepts as absent, so that the server can refuse them in the words of product 9.5. */
const requiredFields: Partial<Record<CallName, string[]>> = {
  'auth.login': ['username', 'password'],
  'members.ban': ['reason'],
  'tokens.create': ['projectName', 'contractAddress', 'tokenSymbol'],
  'kycWebhooks.submit': ['userId'],
  'kycWebhooks.retry': ['userId'],
}

const rawBody: Schema = { type: 'string', format: 'binary' }

const linesSchema: Schema = {
  oneOf: [
    { type: 'string', description: 'Lines as text, each a JSON object of one of the forms that follow.' },
    ...importLineNames.map((name) => ({ $ref: `#/components/schemas/${name}` })),
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
  if (consumes) {
    const media: Media = { schema: chooseRawSchema(named), ...(example !== undefined && { example }) }
    return { required: true, content: Object.fromEntries(consumes.map((type) => [type, media])) }
  }
  if (!body) return undefined
  const needed = requiredFields[named.name]
  const schema = book.describe(body, 'input')
  const required = needed !== undefined || !body.safeParse({}).success
  const media: Media = {
    schema: needed && !schema.$ref ? { ...schema, required: needed } : schema,
    example: example ?? buildExample(schema, book.named, named.key),
  }
  return { required, content: { 'application/json': media } }
}

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

/** `members.ban` → `membersBan`. */
const buildOperationId = (name: CallName) => name.replace(/\.(.)/, (_, first: string) => first.toUpperCase())

export function describeOperation(named: NamedRoute, book: SchemaBook): Operation {
  const { name, route } = named
  const { query, body, reply } = callExamples[name] ?? {}
  const parameters = describeParameters(named, book, query)
  const requestBody = describeBody(named, book, body)
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
