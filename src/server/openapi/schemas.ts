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
import { components } from './components.ts'
import { fieldTexts } from './field-texts.ts'
import type { Schema } from './types.ts'

/** Whose JSON it is: what a caller may send, or what the server sends. */
export type Side = 'input' | 'output'
export interface SchemaBook {
  /** The schema as JSON Schema; a named one as a reference. */
  describe(schema: $ZodType, side: Side): Schema
  /** All that were referred to, by name. */
  readonly named: Record<string, Schema>
}

/** Named schemas in the form in which they are sent. */
type SchemaMap = Map<$ZodType, $ZodType>

/**
 * What is read with a transformation in front of it, as JSON Schema can say it: the values that the transformation lets
 * through. Everything else stays as it is.
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
    // Digits of an address that are read as a number.
    if (after instanceof $ZodPipe && after._zod.def.out instanceof $ZodNumber) return after._zod.def.out
    return inner(before)
  }
  return schema
}

/**
 * What zod made, in the words of this document: without what says nothing to a reader, and null as an `anyOf`, since client
 * generators read no list of types.
 */
function simplify(made: RawSchema, side: Side): Schema {
  const { type, allOf: _formats, properties, items, anyOf, oneOf, ...schema } = made
  if (schema.format) delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.minLength === 0) delete schema.minLength
  // Replies may gain fields in later versions: a client must not refuse them.
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

/** JSON Schema as zod writes it. */
interface RawSchema extends Omit<Schema, 'type' | 'properties' | 'items' | 'anyOf' | 'oneOf'> {
  type?: string | string[]
  allOf?: Schema[]
  properties?: Record<string, RawSchema>
  items?: RawSchema
  anyOf?: RawSchema[]
  oneOf?: RawSchema[]
}

/** A whole one with what it refers to. */
interface RawRootSchema extends RawSchema {
  $schema?: string
  id?: string
  $defs?: Record<string, RawSchema & { id?: string }>
}

const rewriteRefs = (json: string) => json.replaceAll('"#/$defs/', '"#/components/schemas/')

export function createSchemaBook(): SchemaBook {
  const named: Record<string, Schema> = {}
  const names = { input: registry<{ id: string }>(), output: registry<{ id: string }>() }
  // What is sent is made anew, so it has names of its own.
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
      const made = z.toJSONSchema(wanted, {
        io,
        unrepresentable: 'any',
        metadata: names[io],
        override({
          zodSchema: {
            _zod: { def },
          },
          jsonSchema,
        }) {
          // A day with a second pattern to it would no longer be one.
          if ('format' in def && def.format === 'date') jsonSchema.format = def.format
        },
      })
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

  function keep(name: string, found: Schema) {
    for (const [field, description] of Object.entries(fieldTexts[name] ?? {}))
      if (found.properties?.[field]) found.properties[field] = { ...found.properties[field], description }
    const present = named[name]
    if (present && JSON.stringify(present) !== JSON.stringify(found))
      throw new Error(`the schema ${name} is sent and answered in two forms: name only one of them`)
    named[name] = found
  }
}
