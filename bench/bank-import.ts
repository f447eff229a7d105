/**
 * How fast a statement is imported by the real reader and store, compared with `COPY` of the same rows into the same tables, and
 * whether memory stays flat; then how long it takes to undo the import. Each runs in a process of its own, on a new database of a
 * temporary embedded server.
 *
 *   node bench/bank-import.ts [lines, default 10000,100000] [rounds, default 3] [MB of heap that an import may take]
 *
 * Where memory is plenty, V8 lets garbage lie. With a small heap an import either stays flat or ends its process.
 */
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { withSessionSettings } from '#server/db/connection.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import type { Movement, WrittenFile } from '#demo/platform/bank/statement-file.ts'
import { writeCamt } from '#demo/platform/bank/write-camt.ts'
import { writeCsv } from '#demo/platform/bank/write-csv.ts'
import { writeMt940 } from '#demo/platform/bank/write-mt940.ts'
import { Random } from '#demo/platform/random.ts'
import { insertedColumns } from '#server/features/bank/statements/stored-line.ts'
import { guessProfile } from '#server/features/bank/statements/readers/csv-profile.ts'
import { copyFile } from './copy.ts'
import { forkWith } from './given.ts'
import { median } from './measuring.ts'
import { dayAt } from './bank/draw.ts'
import type { GivenFile, ImportMeasurement } from './bank-import-one.ts'
import { makeBankName, makeIban, makePayer } from './bank/people.ts'
import { storeAccount } from './bank/store-dataset.ts'

const sizes = (process.argv[2] ?? '10000,100000').split(',').map(Number)
const rounds = Number(process.argv[3] ?? 3)
const heap = process.argv[4]
const settings = { account: 'DE89370400440532013000', currency: 'EUR' }

/** A bank books the credits of a day in sums of a hundred. Each alone, 100,000 of them take more than the 50 MB of a file. */
const formats: Record<string, (movements: Movement[]) => WrittenFile> = {
  'camt.053': (movements) => writeCamt(movements, settings, { kind: '053', version: '001.08', largestBatch: 100 }),
  // A message of SWIFT holds some of them, and the statement goes on in the next.
  MT940: (movements) => writeMt940(movements, settings, 'german', 1000),
  CSV: (movements) => writeCsv(movements, settings, 'pt'),
}

function makeMovements(count: number): Movement[] {
  const random = new Random(count)
  return Array.from({ length: count }, (_, n) => {
    const person = makePayer(random)
    return {
      kind: 'clean',
      bookedOn: dayAt(Math.floor((30 * n) / count) - 30),
      direction: random.chance(0.95) ? 'credit' : 'debit',
      isReversal: false,
      amount: `${random.whole(10, 9000)}.${String(random.whole(0, 99)).padStart(2, '0')}`,
      currency: 'EUR',
      payer: { name: makeBankName(random, person), iban: makeIban(random, person.country) },
      text: `ORD-${String(n).padStart(8, '0')}`,
      rf: null,
      endToEndId: null,
    }
  })
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })
const connectTo = (database: string): pg.ClientConfig => ({ ...postgres.connection, database })

async function query(database: string, text: string, values: unknown[] = []): Promise<Record<string, string>[]> {
  const client = new pg.Client(connectTo(database))
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A migrated database with the account, an import and a statement. Others are copies of it. */
async function makeTemplate() {
  await query('postgres', 'CREATE DATABASE empty')
  await migrateDatabase(connectTo('empty'))
  const database = connectPool(connectTo('empty'), () => {})
  await storeAccount(database.db, settings.account)
  await database.close()
}

async function withCopy<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  await query('postgres', `CREATE DATABASE ${name} TEMPLATE empty`)
  try {
    return await work()
  } finally {
    await query('postgres', `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

async function importFile(given: GivenFile): Promise<ImportMeasurement> {
  const child = forkWith(
    'bank-import-one.ts',
    given,
    heap ? [`--max-old-space-size=${heap}`, '--max-semi-space-size=4'] : [],
  )
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  const answer = once(child, 'message') as Promise<[ImportMeasurement]>
  const failure = exit.then(([code, signal]): never => {
    throw new Error(`The process of the import ended with ${signal ?? code}`)
  })
  const [measured] = await Promise.race([answer, failure])
  await exit
  return measured
}

const columns = Object.values(insertedColumns).map(({ name }) => name)
// Where the database server may write, whose user is another one where this process is root's.
const dataFolder = (await query('postgres', 'SHOW data_directory'))[0]!['data_directory']!
const files = { lines: join(dataFolder, 'lines.copy'), joins: join(dataFolder, 'joins.copy') }

/** Imports the file, writes the rows that it stored as files for `COPY`, and undoes the import. */
async function measureImport(file: string, content: Buffer, isCsv: boolean) {
  return withCopy('imported', async () => {
    const { profile } = isCsv ? guessProfile(content) : { profile: null }
    await query('imported', 'UPDATE bank_accounts SET csv_profile = $1', [profile && JSON.stringify(profile)])
    const connection = connectTo('imported')
    const answer = await importFile({ connection, folder, file, ...(isCsv && { accountId: '1' }) })
    const shown = columns.map((column) => (column === 'statement_id' ? '1' : column))
    await query('imported', `COPY (SELECT ${shown.join(', ')} FROM bank_lines ORDER BY id) TO '${files.lines}'`)
    const joins = 'SELECT row_number() OVER (ORDER BY line_id), 1 FROM bank_statement_lines'
    await query('imported', `COPY (${joins}) TO '${files.joins}'`)
    return { ...answer, undone: await importFile({ connection, folder, file, undo: answer.importId }) }
  })
}

const measureCopy = (): Promise<number> =>
  withCopy('copied', async () => {
    const connection = withSessionSettings(connectTo('copied'))
    const ofLines = await copyFile(connection, `bank_lines (${columns.join(', ')})`, files.lines)
    return ofLines + (await copyFile(connection, 'bank_statement_lines (line_id, statement_id)', files.joins))
  })

async function measure(format: string, count: number) {
  const { content } = formats[format]!(makeMovements(count))
  const file = join(folder, `${count}-${format}`)
  await writeFile(file, content)
  const imports: Awaited<ReturnType<typeof measureImport>>[] = []
  const copies: number[] = []
  for (let round = 0; round < rounds; round++) {
    imports.push(await measureImport(file, content, format === 'CSV'))
    copies.push(await measureCopy())
  }
  const seconds = median(imports.map((each) => each.seconds))
  return {
    format,
    lines: imports[0]!.lines,
    'file MB': Math.round((await stat(file)).size / 1e6),
    'COPY s': median(copies).toFixed(1),
    'import s': seconds.toFixed(1),
    'of COPY': `${Math.round(100 * median(imports.map((each, n) => copies[n]! / each.seconds)))} %`,
    'lines/s': Math.round(count / seconds),
    'memory before MB': Math.round(median(imports.map(({ memoryBefore }) => memoryBefore))),
    'most MB': Math.round(median(imports.map(({ memoryMost }) => memoryMost))),
    'undo s': median(imports.map(({ undone }) => undone.seconds)).toFixed(1),
    'undo most MB': Math.round(median(imports.map(({ undone }) => undone.memoryMost))),
    load: loadavg()[0]!.toFixed(1),
  }
}

try {
  console.log(`${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}`)
  await makeTemplate()
  const results: Awaited<ReturnType<typeof measure>>[] = []
  for (const format of Object.keys(formats)) for (const count of sizes) results.push(await measure(format, count))
  console.table(results)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
