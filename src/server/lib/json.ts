/** String tokens of a JSON text; of a name of a field with the colon behind it. */
const stringTokens = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/** By a list of what is still to count, since recursion would overflow on what a body may nest. */
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
 * Whether an object within the text gives a name twice, of which JSON.parse keeps the last without a word. `parsed` is what
 * JSON.parse made of the very text, which therefore has more names than it where one came twice.
 */
export function hasDuplicateName(text: string, parsed: unknown): boolean {
  let names = 0
  for (const [, colon] of text.matchAll(stringTokens)) if (colon !== undefined) names++
  return names !== countNames(parsed)
}
