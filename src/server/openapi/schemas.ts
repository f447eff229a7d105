import * as z from 'zod'
import {
  $ZodArray,
  $ZodDefault,
  $ZodNullable,
  $ZodNumber,
  $ZodObject,
  $ZodOptional,
  $ZodPipe,
  $ZodPrefault,
  $ZodTransform,
  $ZodType,
  $ZodUnion,
  clone,
  registry,
  safeParse,
} from 'zod/v4/core'
import { Decimal, Timestamp } from '#contract/schemas/common.ts'
import { PlatformEventRecord } from '#contract/schemas/platform-api.ts'
import { eventMessage, platformEvents, type PlatformEventType } from '#contract/schemas/platform-events.ts'
import { components } from './components.ts'
import { omit } from '#server/lib/omit.ts'
import { fieldTexts } from './field-texts.ts'
import type { Schema } from './types.ts'

/** `input` is what a caller sends, `output` what the server sends. */
export type Side = 'input' | 'output'
export interface SchemaBook {
  /** The schema as JSON Schema. A named one becomes a reference. */
  describe(schema: $ZodType, side: Side): Schema
  /** All referenced schemas, by name. */
  readonly named: Record<string, Schema>
}

/** Named schemas in their input form. */
type SchemaMap = Map<$ZodType, $ZodType>

/**
 * Replaces a transformed input by the values that the transformation accepts, so that JSON Schema can describe it.
 * Keeps everything else.
 */
function describeInput(schema: $ZodType, known: SchemaMap): $ZodType {
  const made = known.get(schema)
  if (made) return made
  const inner = (each: $ZodType) => describeInput(each, known)
  if (schema instanceof $ZodObject) {
    const fields = Object.entries(schema._zod.def.shape).map(([name, field]) => [name, inner(field)] as const)
    return clone(schema, { ...schema._zod.def, shape: Object.fromEntries(fields) })
  }
  if (schema instanceof $ZodOptional)
    return clone(schema, { ...schema._zod.def, innerType: inner(schema._zod.def.innerType) })
  if (schema instanceof $ZodNullable)
    return clone(schema, { ...schema._zod.def, innerType: inner(schema._zod.def.innerType) })
  if (schema instanceof $ZodArray) return clone(schema, { ...schema._zod.def, element: inner(schema._zod.def.element) })
  if (schema instanceof $ZodUnion)
    return clone(schema, { ...schema._zod.def, options: schema._zod.def.options.map(inner) })
  if (schema instanceof $ZodPrefault) {
    const innerType = inner(schema._zod.def.innerType)
    return new $ZodDefault({ type: 'default', innerType, defaultValue: safeParse(schema, undefined).data })
  }
  if (schema instanceof $ZodPipe) {
    const { in: before, out: after } = schema._zod.def
    if (before instanceof $ZodTransform) return inner(after)
    // Digits of an address that are parsed as a number.
    if (after instanceof $ZodPipe && after._zod.def.out instanceof $ZodNumber) return after._zod.def.out
    return inner(before)
  }
  return schema
}

/**
 * Simplifies zod's JSON Schema: omits what says nothing to a reader, and writes null as an `anyOf`, because client
 * generators do not read lists of types.
 */
function simplify(made: RawSchema, side: Side): Schema {
  const { type, allOf: _formats, properties, items, anyOf, oneOf, ...schema } = made
  if (schema.format) delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.minLength === 0) delete schema.minLength
  // Replies may get fields in later versions, so clients must accept unknown ones.
  if (side === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  if (side === 'output') delete schema.default
  const inner = (each: RawSchema) => simplify(each, side)
  if (Array.isArray(type))
    return { anyOf: type.map((one) => inner(one === 'null' ? { type: one } : { ...made, type: one })) }
  return {
    ...(type && { type }),
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, inner(v)])) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  }
}

/** JSON Schema in zod's form. */
interface RawSchema extends Omit<Schema, 'type' | 'properties' | 'items' | 'anyOf' | 'oneOf'> {
  type?: string | string[]
  allOf?: Schema[]
  properties?: Record<string, RawSchema>
  items?: RawSchema
  anyOf?: RawSchema[]
  oneOf?: RawSchema[]
}

/** A root schema with its definitions. */
interface RawRootSchema extends RawSchema {
  $schema?: string
  id?: string
  $defs?: Record<string, RawSchema & { id?: string }>
}

const eventTypes = Object.keys(platformEvents) as PlatformEventType[]

/** The event of a list, with the data of its type. */
const buildEventRecord = (type: PlatformEventType) =>
  z.object({ ...PlatformEventRecord.shape, ...eventMessage(type).shape })

const rewriteRefs = (json: string) => json.replaceAll('"#/$defs/', '"#/components/schemas/')

export function createSchemaBook(): SchemaBook {
  const named: Record<string, Schema> = {}
  const names = { input: registry<{ id: string }>(), output: registry<{ id: string }>() }
  // Input schemas are new objects, so they need their own names.
  const sent: SchemaMap = new Map()
  for (const [id, schema] of Object.entries(components)) {
    sent.set(schema, describeInput(schema, sent))
    names.input.add(describeInput(schema, sent), { id })
    names.output.add(schema, { id })
  }
  return {
    named,
    describe(schema, io) {
      const wanted = io === 'input' ? describeInput(schema, sent) : schema
      const made = convert(wanted, io)
      const {
        $schema: _schema,
        $defs = {},
        id: _id,
        ...root
      } = JSON.parse(rewriteRefs(JSON.stringify(made))) as RawRootSchema
      const own = simplify(root, io)
      for (const [name, { id: _, ...found }] of Object.entries($defs)) keep(name, simplify(found, io))
      const id = names[io].get(wanted)?.id
      if (id === undefined || own.$ref) return own
      keep(id, own)
      return { $ref: `#/components/schemas/${id}` }
    },
  }

  function convert(schema: $ZodType, io: Side) {
    return z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: names[io],
      override({ zodSchema, jsonSchema }) {
        const { def } = zodSchema._zod
        // A second pattern would hide the format of a day.
        if ('format' in def && def.format === 'date') jsonSchema.format = def.format
        if (zodSchema === Timestamp) jsonSchema.format = 'date-time'
        if (zodSchema === Decimal) jsonSchema.pattern = '^\\d+(\\.\\d+)?$'
        if (zodSchema === PlatformEventRecord) {
          for (const name of ['type', 'properties', 'required'] as const) delete jsonSchema[name]
          jsonSchema.oneOf = eventTypes.map((type) => omit(convert(buildEventRecord(type), io), ['$schema']))
        }
      },
    })
  }

  function keep(name: string, found: Schema) {
    for (const [field, description] of Object.entries(fieldTexts[name] ?? {}))
      for (const { properties } of [found, ...(found.oneOf ?? [])])
        if (properties?.[field]) properties[field] = { ...properties[field], description }
    const present = named[name]
    if (present && JSON.stringify(present) !== JSON.stringify(found))
      throw new Error(`the schema ${name} is sent and answered in two forms: name only one of them`)
    named[name] = found
  }
}
