import { Random } from '#demo/platform/random.ts'
import { makeIban } from './people.ts'
import type { Payment } from './payments.ts'
import type { FileSettings, WrittenFile } from '#demo/platform/bank/statement-file.ts'
import { writeCamt } from '#demo/platform/bank/write-camt.ts'
import { writeCsv } from '#demo/platform/bank/write-csv.ts'
import { writeMt940 } from '#demo/platform/bank/write-mt940.ts'

export interface BankFile extends FileSettings, WrittenFile<Payment> {
  name: string
  /** Whether the format has a field for the payer, so that the bank says who paid. */
  hasPayer: boolean
}

type WriteFile = (payments: readonly Payment[], settings: FileSettings) => WrittenFile<Payment>

const euroFiles: Record<string, WriteFile> = {
  'camt053-02-de.xml': (...given) => writeCamt(...given, { kind: '053', version: '001.02' }),
  'camt053-08-prefixed.xml': (...given) => writeCamt(...given, { kind: '053', version: '001.08', prefix: 'ns2:' }),
  'camt053-04-batches.xml': (...given) => writeCamt(...given, { kind: '053', version: '001.04', largestBatch: 6 }),
  'camt053-13-short.xml': (...given) => writeCamt(...given, { kind: '053', version: '001.13', width: 35 }),
  'camt054-08.xml': (...given) => writeCamt(...given, { kind: '054', version: '001.08', largestBatch: 4 }),
  'mt940-german.sta': (...given) => writeMt940(...given, 'german'),
  'mt940-dutch.940': (...given) => writeMt940(...given, 'dutch', 20),
  'mt940-plain.sta': (...given) => writeMt940(...given, 'plain'),
  'csv-de.csv': (...given) => writeCsv(...given, 'de'),
  'csv-pt.csv': (...given) => writeCsv(...given, 'pt'),
}
const otherFiles: Record<string, WriteFile> = {
  'csv-uk.csv': (...given) => writeCsv(...given, 'uk'),
  'camt053-04-chf.xml': (...given) => writeCamt(...given, { kind: '053', version: '001.04', largestBatch: 5 }),
}

/** The payments as the statements of twelve banks. The same payments and seed give the same bytes. */
export function writeFiles(payments: readonly Payment[], seed: number): BankFile[] {
  const random = new Random(seed * 7919 + 1)
  const euroNames = Object.keys(euroFiles)
  const camtNames = euroNames.filter((name) => name.startsWith('camt'))
  const isOwnScript = ({ payer: { name } }: Payment) => /[\u0370-\uffff]/.test(name ?? '')
  const pickName = (payment: Payment) => pickFile(payment.currency, isOwnScript(payment) ? camtNames : euroNames)
  const pickFile = (currency: string, names: string[]) =>
    currency === 'EUR' ? random.pick(names) : currency === 'GBP' ? 'csv-uk.csv' : 'camt053-04-chf.xml'
  return [...Map.groupBy(payments, pickName)].map(([name, own]) => {
    const settings = { account: makeIban(random, 'DE'), currency: own[0]!.currency }
    return {
      name,
      hasPayer: name !== 'mt940-plain.sta',
      ...settings,
      ...(euroFiles[name] ?? otherFiles[name])!(own, settings),
    }
  })
}
