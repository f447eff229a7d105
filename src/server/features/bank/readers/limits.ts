import { bankTexts, statementFileLimits } from '#contract/bank.ts'
import { StatementError, type StatementSink } from './statement.ts'

export const statementLimits: Readonly<typeof statementFileLimits> = statementFileLimits

/** The file is larger than what is taken, which is another refusal than a file that cannot be read. */
export class StatementTooLargeError extends StatementError {
  constructor() {
    super(bankTexts.fileTooLarge)
  }

  /** It is the zip that is too large. */
  override inFile(): StatementTooLargeError {
    return this
  }
}

/** Passes everything on, and refuses the file once it has more than `maximum` lines, those that cannot be read included. */
export function limitLines(sink: StatementSink, maximum: number = statementLimits.lines): StatementSink {
  let count = 0
  const add = (lines: number) => {
    count += lines
    if (count > maximum) throw new StatementTooLargeError()
  }
  return {
    begin: (statement) => sink.begin(statement),
    end: (statement) => sink.end(statement),
    async lines(lines) {
      add(lines.length)
      await sink.lines(lines)
    },
    unreadable(message) {
      add(1)
      sink.unreadable(message)
    },
  }
}
