import * as z from 'zod/mini'

const en = z.locales.en()

// Here, since only here the value is at hand. A schema with words of its own for it keeps them.
z.config({
  ...en,
  customError: (issue) =>
    issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
      ? 'is missing'
      : undefined,
})

export interface Problem {
  /** As the caller wrote it, `step2.nationality`; `whole` where it is about no field. */
  field: string
  message: string
}

/** What a schema refused, as its issues tell it. */
interface Refused {
  path: readonly PropertyKey[]
  message: string
  /** The names of fields that nobody knows. */
  keys?: unknown
}

/** What is wrong, field by field; `whole` names what is wrong as a whole. */
export const problemsOf = (refused: readonly Refused[], whole: string): Problem[] =>
  refused.flatMap(({ path, message, keys }) =>
    Array.isArray(keys)
      ? keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known here' }))
      : [{ field: path.join('.') || whole, message }],
  )

export const inOneLine = (problems: readonly Problem[]): string =>
  problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ')
