import { bankTexts, statementFileLimits } from '#contract/bank.ts'
import { findPlacesProblem } from '#contract/currencies.ts'
import { StatementError, type StatementLine, type StatementSink, countLetters } from './statement.ts'

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

/** No bank's file is of an earlier day: such a year was misread, as were those of other calendars. */
const firstDay = '2000-01-01'

/** Banks announce a booking some days before, and not more than this. */
const daysAhead = 31

const lastDayFrom = (today: string) => new Date(Date.parse(today) + daysAhead * 86_400_000).toISOString().slice(0, 10)

/** How long the texts of a movement are at most together, those of the payments of a batch that has one line. */
const mostLetters = 200_000

/** Why a movement cannot be as it was read; undefined where it can. An account has money of its own currency alone. */
function findFault(
  line: StatementLine,
  { lastDay, ownCurrency }: { lastDay: string; ownCurrency: string },
): string | undefined {
  const { amount, currency, bookedOn, valueOn } = line
  if (countLetters(line) > mostLetters)
    return `its texts are longer than ${mostLetters.toLocaleString('en')} characters`
  if (ownCurrency && currency !== ownCurrency)
    return `the currency is ${currency}, that of the account is ${ownCurrency}`
  for (const day of [bookedOn, valueOn])
    if (day && (day < firstDay || day > lastDay)) return `${day} is not a day from ${firstDay} to ${lastDay}`
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  return findPlacesProblem(amount, currency) ?? undefined
}

interface Limits {
  maximum?: number | undefined
  /** YYYY-MM-DD. */
  today?: string | undefined
}

/**
 * Passes everything on but lines that cannot be, which are named. Refuses the file once it has more than `maximum` lines, those that
 * cannot be read included.
 */
export function limitLines(
  sink: StatementSink,
  { maximum = statementLimits.lines, today = new Date().toISOString().slice(0, 10) }: Limits = {},
): StatementSink {
  const lastDay = lastDayFrom(today)
  let ownCurrency = ''
  let count = 0
  const add = (lines: number) => {
    count += lines
    if (count > maximum) throw new StatementTooLargeError()
  }
  return {
    begin(statement) {
      ownCurrency = statement.currency
      return sink.begin(statement)
    },
    end: (statement) => sink.end(statement),
    async lines(lines) {
      add(lines.length)
      const sound = lines.filter((line) => {
        const fault = findFault(line, { lastDay, ownCurrency })
        if (fault) sink.unreadable(`${line.place}: ${fault}`)
        return !fault
      })
      if (sound.length > 0) await sink.lines(sound)
    },
    unreadable(message) {
      add(1)
      sink.unreadable(message)
    },
  }
}
