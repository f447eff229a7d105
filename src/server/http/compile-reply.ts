import { serializerCompiler } from 'fastify-type-provider-zod'
import { $ZodArray, $ZodNullable, $ZodObject, $ZodObjectJIT, $ZodType } from 'zod/v4/core'

/** Adds zod's compiled object check, which `zod/mini` lacks. Long lists are checked 6 times as fast. */
function compileSchema(schema: $ZodType): $ZodType {
  if (schema instanceof $ZodArray)
    return new $ZodArray({ ...schema._zod.def, element: compileSchema(schema._zod.def.element) })
  if (schema instanceof $ZodNullable)
    return new $ZodNullable({ ...schema._zod.def, innerType: compileSchema(schema._zod.def.innerType) })
  if (!(schema instanceof $ZodObject)) return schema
  const { def } = schema._zod
  const fields = Object.entries(def.shape).map(([name, field]) => [name, compileSchema(field)] as const)
  return new $ZodObjectJIT({ ...def, shape: Object.fromEntries(fields) })
}

/** Restricts replies to the contract: unknown fields are dropped, a wrong value is a 500. */
export const compileReply: typeof serializerCompiler = ({ schema, ...route }) =>
  serializerCompiler({ ...route, schema: schema instanceof $ZodType ? compileSchema(schema) : schema })
