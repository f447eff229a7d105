import { expect, test } from 'vitest'
import { contextFor } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'
import { importStatementFile } from './import.ts'

const server = await startServer()
const bank = createBankCaller(server)
await bank.addAccount()

const text = (value: string) => `<NtryDtls><TxDtls><RmtInf><Ustrd>${value}</Ustrd></RmtInf></TxDtls></NtryDtls>`
const fileOf = (lines: number, name: string) =>
  camtFile(Array.from({ length: lines }, (_, at) => camtEntry('1.00', 'CRDT', text(`${name} ${at % 20}`))).join('\n'))
const countLines = async () =>
  (await server.sql<{ count: number }>('SELECT count(*)::int AS count FROM bank_lines'))[0]?.count

test('of twelve imports on four servers one stores the file', async () => {
  const before = await countLines()
  const file = { fileName: 'storm.xml', bytes: Buffer.from(fileOf(60, 'storm')) }
  const options = { accountId: undefined, isDryRun: false }
  const pools = Array.from({ length: 4 }, () =>
    connectPool(readConnectionOptions(server.services.database.pool), () => {}),
  )
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => {
      const services = { ...server.services, database: pools[at % 4]! }
      return importStatementFile(contextFor(services, { kind: 'system', name: 'tests' }), file, options)
    }),
  )
  for (const pool of pools) await pool.close()
  const refused = outcomes.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code)
  expect(refused).toEqual(Array(11).fill('file_imported'))
  expect(await countLines()).toBe(before! + 60)
})

test('different files of one account with common lines store each line once', async () => {
  const before = await countLines()
  const replies = await Promise.all([40, 60, 80, 100].map((lines) => bank.send(fileOf(lines, 'common'))))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(await countLines()).toBe(before! + 100)
})

test('a connection that breaks in the middle of an import leaves nothing', async () => {
  const before = await server.sql(
    'SELECT (SELECT count(*) FROM bank_imports) AS i, (SELECT count(*) FROM bank_lines) AS l',
  )
  const running = bank.send(fileOf(30_000, 'broken'))
  // Found and ended in one statement: the next moment the connection may be between two others.
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND query LIKE '%bank_statement_lines%' AND state <> 'idle' AND xact_start IS NOT NULL`
  await expect.poll(async () => (await server.sql(end)).length, { interval: 5 }).toBeGreaterThan(0)
  const reply = await running
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'database_unavailable'])
  expect(
    await server.sql('SELECT (SELECT count(*) FROM bank_imports) AS i, (SELECT count(*) FROM bank_lines) AS l'),
  ).toEqual(before)
  expect((await bank.send(fileOf(30_000, 'broken'))).statusCode).toBe(200)
})
