import { ErrorReply } from '#contract/schemas/errors.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { secondFactorCookie } from '#server/features/auth/service.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'
import { cookieName, sessionCookie } from '#server/http/cookies.ts'
import { components } from './components.ts'
import { describeMessages } from './messages.ts'
import { describeOperation, toPathTemplate } from './operation.ts'
import { replyHeaders } from './parameters.ts'
import { createSchemaBook } from './schemas.ts'
import { tagGroups, tags } from './tags.ts'
import type { OpenApiDocument } from './types.ts'
import { readConsoleVersion } from '#server/lib/console-version.ts'

const description = [
  'Two APIs of one back office. The **Platform API** is for the servers of an investment platform: it brings members, their identity documents, orders and transactions in, and gets an event for each decision of an operator. The **Console API** is what the console itself calls.',
  'Every refusal answers JSON with a `message` for people and a `code` for programs; 429, and a 503 that passes by itself, say in `Retry-After` when to come back (one that waits for a setting, such as `chain_disabled`, does not), and a 503 `outcome_unknown` is the one that may have been done. A known address with another method is 405 with `Allow`. Every answer carries `X-Request-Id`, by which the console’s logs know the request. What may change within a version, how it is announced (`Deprecation`, `Sunset`) and what has changed is in `docs/api-changelog.md` of the console’s source. Instants are ISO 8601, amounts are decimal strings. Unknown fields and parameters given twice are refused by name, and on the Platform API unknown query parameters too.',
].join('\n\n')

/** `url` is the console's address: the names of its cookies follow from it. */
const describeSecuritySchemes = (url: URL) => ({
  platformKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A platform key: `Authorization: Bearer <key>`. Each call names the scope that the key needs in `x-scopes`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(url, sessionCookie),
    description: 'The cookie that signing in sets.',
  },
  secondFactor: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(url, secondFactorCookie),
    description: 'The cookie that the right password sets where a second factor is needed.',
  },
  ...Object.fromEntries(
    resultProviders.map(({ description: { securityScheme } }) => [securityScheme.name, securityScheme.scheme]),
  ),
})

/** The calls and messages of the console as OpenAPI 3.1. `url` is its address. */
export function buildOpenApiDocument(url: string): OpenApiDocument {
  const book = createSchemaBook()
  book.describe(ErrorReply, 'output')
  // The import parses them line by line, so no route names them.
  for (const [name, schema] of Object.entries(components))
    if (name.startsWith('Import')) book.describe(schema, name.endsWith('Line') ? 'input' : 'output')
  const paths: OpenApiDocument['paths'] = {}
  for (const named of allRoutes) {
    const path = (paths[toPathTemplate(named.route.path)] ??= {})
    path[named.route.method.toLowerCase()] = describeOperation(named, book)
  }
  book.describe(components.KycResult!, 'input')
  const webhooks = describeMessages(book)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Back Office',
      version: readConsoleVersion(),
      summary: 'The two APIs of the back-office console of an investment platform',
      description,
    },
    servers: [{ url, description: 'This console' }],
    tags,
    'x-tagGroups': tagGroups,
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(book.named).toSorted(([a], [b]) => a.localeCompare(b))),
      headers: replyHeaders,
      securitySchemes: describeSecuritySchemes(new URL(url)),
    },
  }
}
