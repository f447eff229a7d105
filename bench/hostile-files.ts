/**
 * How long bank files that are made to be slow hold up a second caller, while they are read and stored, and while their lines are
 * matched: the longest time in which the server's process answers nobody.
 *
 *   node bench/hostile-files.ts [part of a case's name]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pg from 'pg'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { importStatementFile } from '#server/features/bank/statements/import.ts'
import { refreshProposals } from '#server/features/bank/proposals/refresh-proposals.ts'
import { storeAccount } from './bank/store-dataset.ts'
import { seed } from './seed.ts'
import { insertOrders } from './open-orders.ts'

const account = 'DE89370400440532013000'
const today = new Date().toISOString().slice(0, 10)
const shortDay = today.slice(2).replaceAll('-', '')
const megabytes = 48
const fill = (text: string, bytes = megabytes * 1e6) => text.repeat(Math.floor(bytes / text.length))

const mt940 = (rows: string, number = 1) =>
  `:20:X\n:25:${account}\n:28C:${number}\n:60F:C${shortDay}EUR0,00\n${rows}\n:62F:C${shortDay}EUR0,00\n-\n`
const movement = (text: string, amount = '1,00') => `:61:${shortDay}C${amount}NTRFNONREF\n:86:${text}\n`

const camt = (entries: string, root = 'BkToCstmrStmt', report = 'Stmt', kind = '053') =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${root}><${report}><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries}</${report}></${root}></Document>`
const entry = (remittance: string, amount = '1.00') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf>${remittance}</RmtInf></TxDtls></NtryDtls></Ntry>\n`
const text = (written: string) => `<Ustrd>${written}</Ustrd>`

/** Files of one case, which are imported one after the other. */
const cases: Record<string, () => string[]> = {
  'one text of letters and digits, 99 kB': () => [camt(entry(text(fill('A1', 99_000))))],
  'a hundred such texts': () => [mt940(fill(movement(fill('A1', 99_000)), 10e6))],
  '20 texts of 99 kB in a payment': () => [camt(entry(fill(text(fill('B2', 99_000)), 2e6)))],
  'a text of 48 MB in one row': () => [mt940(movement(fill('C3')))],
  'a payer of 99 kB': () => [mt940(movement(`166?00CREDIT?20SVWZ+ORD-00000001?32${fill('ANA ', 99_000)}`))],
  'a text of order numbers': () => [camt(entry(text(fill('ORD-00000001 ORD-00000002 ', 99_000))))],
  'numbers with a typing error': () => [camt(fill(entry(text(fill('ORD-0000001 RD-00000002 ', 2000))), 3e6))],
  'movements of blanks': () => [mt940(fill(`:61:${shortDay}C1${' '.repeat(900)}\n`, 10e6))],
  'nothing but line breaks': () => [mt940(fill('\n'))],
  'nothing but fields': () => [mt940(fill(':61:\n'))],
  'rows of a CSV file that cannot be read': () => [fill('a;b\n')],
  'rows of a CSV file whose headings are unknown': () => [fill('a;b;c\n')],
  'a heading of 99 kB in a CSV file': () => [`${fill('a ', 99_000)};b;c\n1;2;3\n`],
  'wide rows of a CSV file whose headings are unknown': () => [fill(`${'a;'.repeat(900)}a\n`)],
  'one entry of empty elements': () => [camt(`<Ntry>${fill('<A/>')}</Ntry>`)],
  'equal amounts in two kinds of files': () => twoKinds(8000, () => '1.00'),
  'equal amounts a thousand times each': () => twoKinds(8000, (n) => `${1 + (n % 16)}.00`),
}

/** Payments of one day that differ by nothing but their texts, in a statement and in a report. */
function twoKinds(count: number, amountOf: (n: number) => string): string[] {
  const list = (name: string) =>
    Array.from({ length: count }, (_, n) => entry(text(`${name} ${n}`), amountOf(n))).join('')
  return [camt(list('rent')), camt(list('fee'), 'BkToCstmrAcctRpt', 'Rpt', '052')]
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })

async function query(database: string, statement: string) {
  const client = new pg.Client({ ...postgres.connection, database })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The longest time without a turn for others, in milliseconds, and what came of the work. */
async function watch(work: () => Promise<string>) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const begun = performance.now()
  const outcome = await work()
  delay.disable()
  return { outcome, longest: Math.round(delay.max / 1e6), seconds: ((performance.now() - begun) / 1000).toFixed(1) }
}

async function measure(name: string, files: string[]) {
  await query('postgres', 'DROP DATABASE IF EXISTS tried WITH (FORCE)')
  await query('postgres', 'CREATE DATABASE tried TEMPLATE filled')
  const database = connectPool({ ...postgres.connection, database: 'tried' }, () => {})
  const documents = openDocumentStore({ dataDir: folder, documentKeys: [] })
  // Neither an import nor the proposals need anything else of the services.
  const services = { database, documents, config: { leaseSeconds: 60 } } as unknown as Services
  const ctx = contextFor(services, { kind: 'system', name: 'bench' })
  const bytes = files.map((file) => Buffer.from(file))
  const reading = await watch(async () => {
    const outcomes: string[] = []
    for (const [at, each] of bytes.entries()) {
      const file = { fileName: `${at}.txt`, bytes: each }
      const options = { accountId: each[0] === 0x61 ? '1' : undefined, isDryRun: false }
      const { import: taken } = await importStatementFile(ctx, file, options).catch((error: Error) => ({
        import: error,
      }))
      outcomes.push(
        taken instanceof Error
          ? taken.message.slice(0, 60)
          : `${taken.linesNew} lines, ${taken.unreadableCount} unread`,
      )
    }
    return outcomes.join('; ')
  })
  const matching = await watch(async () => {
    await refreshProposals(ctx, new AbortController().signal)
    return ''
  })
  await database.close()
  const size = bytes.reduce((sum, { length }) => sum + length, 0) / 1e6
  return {
    case: name,
    MB: size.toFixed(1),
    'longest ms': reading.longest,
    s: reading.seconds,
    'matching, longest ms': matching.longest,
    'matching s': matching.seconds,
    load: loadavg()[0]!.toFixed(1),
    outcome: reading.outcome,
  }
}

const results: Awaited<ReturnType<typeof measure>>[] = []
try {
  await query('postgres', 'CREATE DATABASE filled')
  const connection = { ...postgres.connection, database: 'filled' }
  await migrateDatabase(connection)
  const database = connectPool({ ...connection, statement_timeout: 0 }, () => {})
  await seed(database, 10_000)
  await database.pool.query(insertOrders, [2000, 10_000, 1])
  await storeAccount(database.db, account)
  await database.close()
  const chosen = Object.entries(cases).filter(([name]) => name.includes(process.argv[2] ?? ''))
  for (const [name, makeFiles] of chosen) {
    console.error(name)
    results.push(await measure(name, makeFiles()))
  }
  console.table(results)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
