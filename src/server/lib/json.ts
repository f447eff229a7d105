/** JSON with sorted keys, the same for what was written and for what PostgreSQL keeps of it as jsonb. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, (_key, each: unknown) => sortKeys(each))

const sortKeys = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** The first name in a JSON text that would change what an object is. Undefined also for a text that is not JSON. */
export function findReservedName(text: string): string | undefined {
  let found: string | undefined
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (name === '__proto__' || name === 'constructor') found ??= name
      return value
    })
    return found
  } catch {
    return undefined
  }
}

/** The string tokens of a JSON text. The colon is captured after the name of a field. */
const stringTokens = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/** Uses a list instead of recursion, which deeply nested bodies would overflow. */
function countNames(value: unknown): number {
  const left: unknown[] = [value]
  let count = 0
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) count += Object.keys(next).length
    for (const each of Object.values(next)) left.push(each)
  }
  return count
}

/**
 * Whether an object in the text repeats a name, of which JSON.parse silently keeps the last. `parsed` is the result of
 * JSON.parse, which then has fewer names than the text.
 */
export function hasDuplicateName(text: string, parsed: unknown): boolean {
  let names = 0
  for (const [, colon] of text.matchAll(stringTokens)) if (colon !== undefined) names++
  return names !== countNames(parsed)
}
