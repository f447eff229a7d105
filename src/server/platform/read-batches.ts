import type { Hash } from 'node:crypto'
import { type ImportRefusal, importLines, type ImportLine, type ImportLineType } from '#contract/schemas/platform.ts'
import { hasDuplicateName } from '#server/lib/json.ts'
import { joinProblems, listProblems } from '#server/http/problems.ts'
import { readLines } from './read-lines.ts'
import type { Line } from './write-lines.ts'

const isKnownType = (type: unknown): type is ImportLineType =>
  typeof type === 'string' && Object.hasOwn(importLines, type)
const knownTypes = Object.keys(importLines).join(', ')

const longestProblem = 500

/** Parses one line by the contract, or describes its problems by field. */
function parseLine(text: string): { value: ImportLine } | { problem: string } {
  let given: unknown
  try {
    given = JSON.parse(text)
    if (hasDuplicateName(text, given)) return { problem: 'the line gives a field twice' }
  } catch {
    return { problem: 'the line is not valid JSON' }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: 'the line is not JSON object' }
  const type = 'type' in given ? given.type : undefined
  if (!isKnownType(type)) return { problem: `type: must be one of ${knownTypes}` }
  const parsed = importLines[type].safeParse(given)
  return parsed.success
    ? { value: parsed.data }
    : { problem: joinProblems(listProblems(parsed.error.issues, '')).slice(0, longestProblem).toWellFormed() }
}

const batchLines = 500
const batchBytes = 1024 * 1024

/** Lines that are written together. */
export interface Batch {
  lines: Line[]
  problems: ImportRefusal[]
  lastLine: number
  /** SHA-256 of all lines up to the last, if requested. */
  digest?: Buffer
}

const emptyBatch = (): Batch => ({ lines: [], problems: [], lastLine: 0 })

/**
 * Parses the lines of an import, some hundreds at a time. The first `skippedLines` are skipped unread, and returned as
 * a batch without lines.
 */
export async function* readBatches(
  source: AsyncIterable<Buffer | string>,
  { skippedLines = 0, digest }: { skippedLines?: number; digest?: Hash | undefined },
): AsyncGenerator<Batch> {
  let size = 0
  let batch = emptyBatch()
  let lastLine = skippedLines
  for await (const { line, text, problem, isSkipped, isEnd } of readLines(source, { skippedLines, digest })) {
    batch.lastLine = line
    if (!isSkipped && !isEnd) {
      const parsed = text === undefined ? { problem: problem ?? 'the line is empty' } : parseLine(text)
      if ('value' in parsed) batch.lines.push({ line, value: parsed.value })
      else batch.problems.push({ line, code: 'invalid', message: parsed.problem })
      size += text?.length ?? 0
      if (batch.lines.length + batch.problems.length < batchLines && size < batchBytes) continue
    } else if (isEnd && line <= lastLine) return
    lastLine = line
    if (digest) batch.digest = digest.copy().digest()
    yield batch
    batch = emptyBatch()
    size = 0
  }
}
