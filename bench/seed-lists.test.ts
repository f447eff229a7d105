import { expect, onTestFinished, test } from 'vitest'
import { seedLists } from './seed-lists.ts'
import { seed } from './seed.ts'
import { connectPool } from '#server/db/client.ts'
import { startServer } from '#test/support/server.ts'

test('the measurements fill every list of today’s tables', async () => {
  const server = await startServer()
  const database = connectPool(server.connection, () => {})
  onTestFinished(() => database.close())
  await seed(database, 100)
  const sizes = { orders: 50, chainTransactions: 50, platformTransactions: 50, auditRows: 50, bankLines: 200 }
  await seedLists(database, { members: 100, ...sizes })
  const tables = [
    'members',
    'orders',
    'chain_transactions',
    'platform_transactions',
    'kyc_verifications',
    'message_attempts',
    'bank_lines',
    'bank_allocations',
  ]
  for (const table of tables) expect(await server.sql(`SELECT FROM ${table} LIMIT 5`), table).toHaveLength(5)
})
