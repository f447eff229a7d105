import fc from 'fast-check'
import { allRoutes, type NamedRoute } from '#contract/schemas/routes.ts'
import { toPathTemplate } from '#server/openapi/operation.ts'
import type { Json, OpenApiDocument, Operation, Parameter } from '#server/openapi/types.ts'
import { bytesOf, hostileJson, hostileText, nearly, valueOf, type Source } from './fuzz-values.ts'

/** An operation of the description and the route behind it. */
export interface Described {
  named: NamedRoute
  operation: Operation
}

export interface FuzzCall {
  url: string
  headers: Record<string, string>
  payload: Buffer | undefined
}

export const describedIn = (document: OpenApiDocument): Described[] =>
  allRoutes.map((named) => {
    const operation = document.paths[toPathTemplate(named.route.path)]?.[named.route.method.toLowerCase()]
    if (!operation) throw new Error(`${named.name} is not described`)
    return { named, operation }
  })

/** Left out of an address: the URL standard makes another address of them before anything is sent. */
const isNoSegment = (text: string) => ['', '.', '..'].includes(text)
const encode = (value: string) => (value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80')

/** How often a value is as it should be: `good` of ten. */
const mixed = <T>(good: number, as: fc.Arbitrary<T>, not: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: as, weight: good }, { arbitrary: not, weight: 10 - good })

const inAddress = ({ name, schema, example }: Parameter, source: Source) => {
  const allowed = valueOf(schema, source, name).map(String)
  return example === undefined ? allowed : mixed(8, allowed, fc.constant(String(example)))
}

function pathOf({ named, operation }: Described, source: Source): fc.Arbitrary<string> {
  const parameters = operation.parameters?.filter(({ in: where }) => where === 'path') ?? []
  const broken = fc.constantFrom('%', '%zz', '%00', '%ff', '%c0%ae', '%2f')
  const hostile = mixed(8, hostileText.map(encode), broken)
  const parts = parameters.map((each) => mixed(9, inAddress(each, source).map(encode), hostile))
  const names = parameters.map(({ name }) => name)
  return fc.tuple(...parts).map((values) =>
    named.route.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = values[names.indexOf(name)] ?? ''
      return isNoSegment(value) ? '%00' : value
    }),
  )
}

function queryOf({ operation }: Described, source: Source): fc.Arbitrary<string> {
  const parameters = operation.parameters?.filter(({ in: where }) => where === 'query') ?? []
  const known = parameters.map((each) =>
    fc.tuple(fc.constant(each.name), mixed(8, inAddress(each, source), hostileText)),
  )
  const unknown = fc.tuple(fc.constantFrom('unknown', '__proto__', 'limit[]', 'dryrun'), hostileText)
  const one = known.length > 0 ? mixed(9, fc.oneof(...known), unknown) : unknown
  const some = fc
    .array(one, { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'))
  return mixed(known.length > 0 ? 7 : 1, some, fc.constant(''))
}

const oddHeaders = {
  'if-match': fc.constantFrom('1', '"1"', '"2"', '0', 'W/"1"', '*', 'x', '"1", "2"', '9'.repeat(20), ''),
  'idempotency-key': fc.constantFrom('key-1', 'key-2', '', ' ', 'x'.repeat(255), 'x'.repeat(256), 'a b', '\u00e9'),
  accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'image/png', '', 'nonsense;q=x'),
  'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
  'last-event-id': hostileText.map((text) => text.replace(/[^ -~]/g, '').slice(0, 100)),
}
const oddTypes = fc.constantFrom(
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/json;',
  '/',
)

/** A body as described, nearly so, or nothing like it, under a type that is mostly right. */
function bodyOf({ named, operation }: Described, source: Source) {
  const content = Object.entries(operation.requestBody?.content ?? {})
  const [, media] = content[0] ?? []
  if (!media) {
    const unexpected = fc.option(bytesOf(hostileJson), { nil: undefined, freq: named.route.method === 'GET' ? 20 : 3 })
    return fc.record({ payload: unexpected, type: mixed(8, fc.constant('application/json'), oddTypes) })
  }
  const types = fc.constantFrom(...content.map(([type]) => type))
  const described = valueOf(media.schema, source)
  const example: fc.Arbitrary<Json> = media.example === undefined ? described : fc.constant(media.example)
  const values = fc.oneof(example, described, described, nearly(example), nearly(described), hostileJson)
  const payload = fc.option(bytesOf(values), { nil: undefined, freq: 20 })
  return fc.record({ payload, type: mixed(9, types, oddTypes) })
}

/** Calls of one operation: as described, nearly so, and hostile. */
export function callsOf(described: Described, source: Source): fc.Arbitrary<FuzzCall> {
  return fc
    .record({
      path: pathOf(described, source),
      query: queryOf(described, source),
      headers: mixed(6, fc.constant({}), fc.record(oddHeaders, { requiredKeys: [], noNullPrototype: true })),
      body: bodyOf(described, source),
    })
    .map(({ path, query, headers, body }) => ({
      url: query ? `${path}?${query}` : path,
      headers: { ...headers, ...(body.payload && { 'content-type': body.type }) },
      payload: body.payload,
    }))
}

/** Lines of an import: of every type, nearly so, and hostile bytes. */
export function importBodies(source: Source): fc.Arbitrary<Buffer[]> {
  const forms = Object.entries(source.schemas).filter(([name]) => /^Import\w+Line$/.test(name))
  const described = fc.oneof(...forms.map(([, schema]) => valueOf(schema, source)))
  const line = bytesOf(fc.oneof(described, described, nearly(described), hostileJson))
  return fc.array(line, { minLength: 1, maxLength: 8, size: 'max' })
}
