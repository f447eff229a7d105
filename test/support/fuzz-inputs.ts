import fc from 'fast-check'
import { allRoutes, type NamedRoute } from '#contract/schemas/routes.ts'
import { toPathTemplate } from '#server/openapi/operation.ts'
import type { Json, OpenApiDocument, Operation, Parameter } from '#server/openapi/types.ts'
import { toBytes, hostileJson, hostileText, damageValue, buildValue, type Source } from './fuzz-values.ts'

/** An operation of the description and the route behind it. */
export interface DescribedOperation {
  named: NamedRoute
  operation: Operation
}

export interface FuzzCall {
  url: string
  headers: Record<string, string>
  payload: Buffer | undefined
}

export const listDescribed = (document: OpenApiDocument): DescribedOperation[] =>
  allRoutes.map((named) => {
    const operation = document.paths[toPathTemplate(named.route.path)]?.[named.route.method.toLowerCase()]
    if (!operation) throw new Error(`${named.name} is not described`)
    return { named, operation }
  })

/** Left out of an address: the URL standard makes another address of them before anything is sent. */
const isNoSegment = (text: string) => ['', '.', '..'].includes(text)
const encode = (value: string) => (value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80')

/** How often a value is as it should be: `good` of ten. */
const mix = <T>(good: number, as: fc.Arbitrary<T>, not: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: as, weight: good }, { arbitrary: not, weight: 10 - good })

const buildAddressValue = ({ name, schema, example }: Parameter, source: Source) => {
  const allowed = buildValue(schema, source, name).map(String)
  return example === undefined ? allowed : mix(8, allowed, fc.constant(String(example)))
}

function buildPath({ named, operation }: DescribedOperation, source: Source): fc.Arbitrary<string> {
  const parameters = operation.parameters?.filter(({ in: where }) => where === 'path') ?? []
  const broken = fc.constantFrom('%', '%zz', '%00', '%ff', '%c0%ae', '%2f')
  const hostile = mix(8, hostileText.map(encode), broken)
  const parts = parameters.map((each) => mix(9, buildAddressValue(each, source).map(encode), hostile))
  const names = parameters.map(({ name }) => name)
  return fc.tuple(...parts).map((values) =>
    named.route.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = values[names.indexOf(name)] ?? ''
      return isNoSegment(value) ? '%00' : value
    }),
  )
}

function buildQuery({ operation }: DescribedOperation, source: Source): fc.Arbitrary<string> {
  const parameters = operation.parameters?.filter(({ in: where }) => where === 'query') ?? []
  const known = parameters.map((each) =>
    fc.tuple(fc.constant(each.name), mix(8, buildAddressValue(each, source), hostileText)),
  )
  const unknown = fc.tuple(fc.constantFrom('unknown', '__proto__', 'limit[]', 'dryrun'), hostileText)
  const one = known.length > 0 ? mix(9, fc.oneof(...known), unknown) : unknown
  const some = fc
    .array(one, { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'))
  return mix(known.length > 0 ? 7 : 1, some, fc.constant(''))
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
function buildBody({ named, operation }: DescribedOperation, source: Source) {
  const content = Object.entries(operation.requestBody?.content ?? {})
  const [, media] = content[0] ?? []
  if (!media) {
    const unexpected = fc.option(toBytes(hostileJson), { nil: undefined, freq: named.route.method === 'GET' ? 20 : 3 })
    return fc.record({ payload: unexpected, type: mix(8, fc.constant('application/json'), oddTypes) })
  }
  const types = fc.constantFrom(...content.map(([type]) => type))
  const described = buildValue(media.schema, source)
  const example: fc.Arbitrary<Json> = media.example === undefined ? described : fc.constant(media.example)
  const values = fc.oneof(example, described, described, damageValue(example), damageValue(described), hostileJson)
  const payload = fc.option(toBytes(values), { nil: undefined, freq: 20 })
  return fc.record({ payload, type: mix(9, types, oddTypes) })
}

/** Calls of one operation: as described, nearly so, and hostile. */
export function buildCalls(described: DescribedOperation, source: Source): fc.Arbitrary<FuzzCall> {
  return fc
    .record({
      path: buildPath(described, source),
      query: buildQuery(described, source),
      headers: mix(6, fc.constant({}), fc.record(oddHeaders, { requiredKeys: [], noNullPrototype: true })),
      body: buildBody(described, source),
    })
    .map(({ path, query, headers, body }) => ({
      url: query ? `${path}?${query}` : path,
      headers: { ...headers, ...(body.payload && { 'content-type': body.type }) },
      payload: body.payload,
    }))
}

/** Lines of an import: of every type, nearly so, and hostile bytes. */
export function buildImportBodies(source: Source): fc.Arbitrary<Buffer[]> {
  const forms = Object.entries(source.schemas).filter(([name]) => /^Import\w+Line$/.test(name))
  const described = fc.oneof(...forms.map(([, schema]) => buildValue(schema, source)))
  const line = toBytes(fc.oneof(described, described, damageValue(described), hostileJson))
  return fc.array(line, { minLength: 1, maxLength: 8, size: 'max' })
}
