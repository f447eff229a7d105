import { importLines, type ImportLine, type ImportLineType } from '#contract/schemas/platform.ts'
import { hasDuplicateName } from '#server/lib/json.ts'
import { joinProblems, listProblems } from '#server/http/problems.ts'

const isKnownType = (type: unknown): type is ImportLineType =>
  typeof type === 'string' && Object.hasOwn(importLines, type)
const knownTypes = Object.keys(importLines).join(', ')

const longestProblem = 500

/** Parses one line by the contract, or describes its problems by field. */
export function parseLine(text: string): { value: ImportLine } | { problem: string } {
  let given: unknown
  try {
    given = JSON.parse(text)
    if (hasDuplicateName(text, given)) return { problem: 'the line gives a field twice' }
  } catch {
    return { problem: 'the line is not valid JSON' }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: 'the line is not a JSON object' }
  const type = 'type' in given ? given.type : undefined
  if (!isKnownType(type)) return { problem: `type: must be one of ${knownTypes}` }
  const parsed = importLines[type].safeParse(given)
  return parsed.success
    ? { value: parsed.data }
    : { problem: joinProblems(listProblems(parsed.error.issues, '')).slice(0, longestProblem).toWellFormed() }
}
