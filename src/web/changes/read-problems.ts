import { ApiError } from '#web/api.ts'
import { localizeInstants } from '#web/lib/dates.ts'
import { capitalize } from '#web/lib/words.ts'

/** What is wrong, by field. */
export type Problems = Partial<Record<string, string | undefined>>

/** The problems that a refusal names for fields. Empty when it is about something else. */
export function readProblems(error: unknown): Problems {
  const details = error instanceof ApiError ? error.reply?.details : undefined
  if (!Array.isArray(details)) return {}
  const named = details.filter(
    (each: unknown): each is { field: string; message: string } =>
      typeof each === 'object' && each !== null && 'field' in each && 'message' in each,
  )
  return Object.fromEntries(named.map(({ field, message }) => [field, capitalize(localizeInstants(message))]))
}
