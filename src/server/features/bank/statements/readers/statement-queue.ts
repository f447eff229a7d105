import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Statement, type StatementLine, type StatementSink, countLetters } from './statement.ts'

/** Lines that the sink gets at once: enough for a write in batches, few enough to hold. Long texts are as much work as many lines. */
const linesAtOnce = 500
const lettersAtOnce = 500_000

type Step = { type: 'begin' | 'end'; statement: Statement } | { type: 'lines'; lines: StatementLine[] }

export type StatementQueue = ReturnType<typeof createStatementQueue>

/** Collects what a parser's handlers find, which cannot wait, and hands it to the sink in the order of the file. */
export function createStatementQueue(sink: StatementSink) {
  let steps: Step[] = []
  let waiting = 0

  async function deliver(due: Step[]) {
    for (const step of due) {
      if (step.type === 'lines') await deliverLines(step.lines)
      else await sink[step.type](step.statement)
    }
    // A large file must not keep the server's other calls waiting.
    await nextTurn()
  }

  async function deliverLines(lines: StatementLine[]) {
    let [from, letters] = [0, 0]
    for (const [at, line] of lines.entries()) {
      letters += countLetters(line)
      if (letters < lettersAtOnce && at + 1 < lines.length) continue
      await sink.lines(lines.slice(from, at + 1))
      await nextTurn()
      from = at + 1
      letters = 0
    }
  }

  return {
    begin(statement: Statement) {
      waiting += 1
      steps.push({ type: 'begin', statement })
    },
    end(statement: Statement) {
      waiting += 1
      steps.push({ type: 'end', statement })
    },
    add(lines: StatementLine[]) {
      waiting += lines.length
      const last = steps.at(-1)
      if (last?.type === 'lines' && last.lines.length + lines.length <= linesAtOnce) last.lines.push(...lines)
      else if (lines.length > 0) steps.push({ type: 'lines', lines: [...lines] })
    },
    /** Whether enough waits to be handed over. */
    isFull: () => waiting >= linesAtOnce,
    /** Hands over what is complete, and keeps back lines that are still few. */
    async deliver() {
      const last = steps.at(-1)
      const few = last?.type === 'lines' && last.lines.length < linesAtOnce ? last : undefined
      const due = few ? steps.slice(0, -1) : steps
      steps = few ? [few] : []
      waiting = few ? few.lines.length : 0
      await deliver(due)
    },
    async deliverAll() {
      const due = steps
      steps = []
      waiting = 0
      await deliver(due)
    },
  }
}
