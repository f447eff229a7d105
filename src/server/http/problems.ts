import * as z from 'zod/mini'

/** JSON's types in words. */
const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}
const unitNames: Record<string, string> = { string: ' characters', array: ' items' }

function describeLimit(
  isMost: boolean,
  { origin, inclusive }: { origin: string; inclusive?: boolean | undefined },
  limit: unknown,
) {
  const unit = unitNames[origin]
  if (unit !== undefined) return `must have at ${isMost ? 'most' : 'least'} ${String(limit)}${unit}`
  if (inclusive === false) return `must be ${isMost ? 'less' : 'more'} than ${String(limit)}`
  return `must be at ${isMost ? 'most' : 'least'} ${String(limit)}`
}

/** The message for an issue whose schema has none. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  const { input, code } = issue
  if (input === undefined && (code === 'invalid_type' || code === 'invalid_value')) return 'is missing'
  if (code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
  if (code === 'invalid_value') return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
  if (code === 'too_big') return describeLimit(true, issue, issue.maximum)
  if (code === 'too_small') return describeLimit(false, issue, issue.minimum)
  if (code === 'invalid_union') return 'has none of the forms that it may have'
  return 'is not valid'
}

z.config({ customError: describeIssue })

export interface Problem {
  /** As the caller wrote it, such as `step2.nationality`. `whole` if it is about no field. */
  field: string
  message: string
}

/** An issue of a schema. */
interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
  /** The names of unknown fields. */
  keys?: unknown
}

const maxNameLength = 64

/**
 * A field's name that is safe to repeat, because the caller chose it. PostgreSQL stores neither NUL nor broken
 * surrogates, and terminals obey control characters.
 */
function cleanName(path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.').toWellFormed()
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return clean.length > maxNameLength ? `${clean.slice(0, maxNameLength).toWellFormed()}…` : clean
}

/** Lists this many problems, so that an answer to nonsense stays short. */
const maxProblems = 20

/** The first 20 problems by field, and how many more there are. `whole` names problems without a field. */
export function listProblems(refused: readonly SchemaIssue[], whole: string): Problem[] {
  const problems = flattenIssues(refused, whole)
  if (problems.length <= maxProblems) return problems
  return [...problems.slice(0, maxProblems), { field: whole, message: `and ${problems.length - maxProblems} more` }]
}

/** The first problem of each field: what is wrong besides may follow from it. */
function flattenIssues(refused: readonly SchemaIssue[], whole: string): Problem[] {
  const problems = refused.flatMap(({ path, message, keys }) =>
    Array.isArray(keys)
      ? keys.map((key: PropertyKey) => ({ field: cleanName([...path, key]), message: 'is not known here' }))
      : [{ field: cleanName(path) || whole, message }],
  )
  const isFirst = ({ field }: Problem, at: number) => problems.findIndex((each) => each.field === field) === at
  return problems.filter((problem, at) => problem.field === whole || isFirst(problem, at))
}

export const joinProblems = (problems: readonly Problem[]): string =>
  problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ')
