import fc from 'fast-check'
import type { Json, Schema } from '#server/openapi/types.ts'

/** Values that are stored, by the name of the field or parameter that holds them. */
export type StoredValues = Record<string, readonly string[]>

/** What the values of a call are made from. */
export interface Source {
  schemas: Record<string, Schema>
  stored: StoredValues
}

export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '%2e%2e%2f',
  'null',
  'NaN',
  '-1',
  '0',
  '1e9',
  '9'.repeat(40),
  '2147483648',
  '9223372036854775808',
  '1.5',
  'x'.repeat(300),
  'x'.repeat(5000),
  '<script>alert(1)</script>',
  '\u202e\u2066',
  '😀'.repeat(60),
  '{"$ne":1}',
  '__proto__',
  'all',
  '9999-12-31T23:59:59.999+23:59',
  '0000-01-01',
  '2026-02-30',
]
export const hostileText = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileTexts), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 1 },
)

const nested = (depth: number): Json => (depth === 0 ? 1 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) })

export const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  hostileText,
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31) - 1, [], {}, [[]], [null]),
  fc.constantFrom<Json>({ toString: 'x' }, { constructor: { prototype: {} } }, nested(40), nested(500)),
  // fast-check's own type of JSON is the same in other words.
  fc.jsonValue() as fc.Arbitrary<Json>,
)

const someTexts = fc.constantFrom('Ana', 'Solar Park', 'Łódź', 'a', '李 小龍', 'O’Neil', '12.50', '0', 'EUR')
const instants = fc.constantFrom(
  '2026-01-05T09:00:00.000Z',
  '2099-01-05T09:00:00Z',
  '1000-01-01T00:00:00Z',
  '2026-01-05T09:00:00+14:00',
)

function buildFromPattern(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern), { size: '-1' })
  } catch {
    // A pattern of a kind that fast-check cannot read, such as one with a look-behind.
    return someTexts
  }
}

function buildText({ format, pattern, minLength = 0, maxLength = 30 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return instants
  if (format === 'date') return fc.constantFrom('1991-03-14', '2024-02-29', '0001-01-01', '9999-12-31')
  if (pattern) return buildFromPattern(pattern)
  const atBounds = fc.constantFrom('x'.repeat(Math.max(minLength, 1)), 'x'.repeat(maxLength), '李'.repeat(maxLength))
  return fc.oneof({ arbitrary: someTexts, weight: 4 }, { arbitrary: atBounds, weight: 1 })
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values that the schema allows, as near as it says; where a stored one of that name exists, often that. */
export function buildValue(schema: Schema, source: Source, name = ''): fc.Arbitrary<Json> {
  const refersTo = schema.$ref?.split('/').at(-1)
  if (refersTo) return buildValue(source.schemas[refersTo] ?? {}, source, name)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((each) => buildValue(each, source, name)))
  if (schema.type === 'object') return buildObject(schema, source)
  if (schema.type === 'array') return fc.array(buildValue(schema.items ?? {}, source, name), { maxLength: 3 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 5, (schema.minimum ?? 0) + 5) })
  const stored = source.stored[name]
  const text = buildText(schema)
  return stored ? fc.oneof({ arbitrary: fc.constantFrom(...stored), weight: 4 }, text) : text
}

function buildObject({ properties = {}, required = [] }: Schema, source: Source): fc.Arbitrary<Json> {
  const fields = Object.entries(properties).map(([name, field]) => [name, buildValue(field, source, name)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
}

/** A value with one thing wrong: a field that is missing, too many, hostile, or the whole of another kind. */
export function damageValue(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const wrong = fc.constantFrom('missing', 'extra', 'hostile', 'hostile', 'in a list')
  return fc.tuple(values, wrong, fc.nat(), hostileJson).map(([value, how, at, hostile]) => {
    if (how === 'in a list') return [value]
    if (!isObject(value)) return hostile
    const names = Object.keys(value)
    const name = names[at % Math.max(names.length, 1)] ?? 'id'
    if (how === 'missing') return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
    return { ...value, [how === 'extra' ? 'isAdmin' : name]: hostile }
  })
}

/** The text of a body: JSON as it should be, a field given twice, cut off, or bytes that are no UTF-8. */
export function toBytes(values: fc.Arbitrary<Json>): fc.Arbitrary<Buffer> {
  const damage = fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'twice', 'cut', 'bytes', 'numbers')
  return fc.tuple(values, damage, fc.nat(), fc.uint8Array({ maxLength: 20 })).map(([value, how, at, noise]) => {
    const json = JSON.stringify(value)
    if (how === 'twice') return Buffer.from(json.replace(/^\{("[^"]*":)/, '{$1null,$1'))
    if (how === 'numbers') return Buffer.from(json.replace(/"\d[^"]*"|\d+/, '1e999'))
    const whole = Buffer.from(json)
    const middle = at % (whole.length + 1)
    if (how === 'cut') return whole.subarray(0, middle)
    return how === 'bytes' ? Buffer.concat([whole.subarray(0, middle), noise, whole.subarray(middle)]) : whole
  })
}
