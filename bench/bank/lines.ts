import { guessProfile } from '#server/features/bank/statements/readers/csv-profile.ts'
import { readStatementFile } from '#server/features/bank/statements/readers/read-file.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { type BankFile, writeFiles } from './files.ts'
import { makePayments } from './noise.ts'
import type { LabelledLine } from './score.ts'
import type { BenchDataset } from './dataset.ts'

/** The lines of a dataset, read back from the files of its banks. */
export const makeLines = async (dataset: BenchDataset): Promise<LabelledLine[]> =>
  (await Promise.all(writeFiles(makePayments(dataset), dataset.seed).map(readLines))).flat()

/** Reads a written file, and labels each line with the payment that it is. Throws where a line differs from its payment. */
async function readLines({ name, hasPayer, content, account, currency, payments }: BankFile): Promise<LabelledLine[]> {
  const lines: StatementLine[] = []
  const sink = {
    begin: () => Promise.resolve(),
    end: () => Promise.resolve(),
    lines: (read: StatementLine[]) => Promise.resolve(void lines.push(...read)),
    unreadable: (message: string) => {
      throw new Error(`${name}: ${message}`)
    },
  }
  const profile = name.endsWith('.csv') ? guessProfile(content).profile : null
  await readStatementFile(content, sink, { csvAccount: { account, accountName: null, currency, form: profile } })
  if (lines.length !== payments.length) throw new Error(`${name}: ${lines.length} lines of ${payments.length}`)
  return lines.map((line, n) => {
    const payment = payments[n]!
    for (const field of ['amount', 'currency', 'direction', 'bookedOn', 'isReversal'] as const)
      if (line[field] !== payment[field] && !(name.endsWith('.csv') && field === 'isReversal'))
        throw new Error(`${name}, ${line.place}: ${field} is ${line[field]}, not ${payment[field]}`)
    return { line, payment, account, file: name, hasPayer }
  })
}
