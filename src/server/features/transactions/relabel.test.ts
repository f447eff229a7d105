import { beforeEach, expect, test } from 'vitest'
import type { MonitoredTransaction, TransactionFigures } from '#contract/schemas/transactions.ts'
import { changesChannel } from '#server/core/audit.ts'
import { runJob } from '#test/support/jobs.ts'
import { foldListCounts, newAddress } from '#test/support/make.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const relabel = () => runJob(server.services, 'relabel-transfers')
const transfers = 12_000
let contract = ''

async function put(tokenSymbol: string, decimals: number) {
  const reply = await server.app.inject({
    method: 'PUT',
    url: `/api/platform/v1/tokens/earning/${contract}`,
    headers: { authorization: `Bearer ${platformKey}` },
    payload: { projectName: 'Gold', tokenSymbol, decimals },
  })
  expect(reply.statusCode, reply.body).toBe(200)
}

/** A token with so many transfers that they take three batches. Number 7 is of another token. */
beforeEach(async () => {
  contract = newAddress()
  await server.sql('TRUNCATE chain_transactions RESTART IDENTITY')
  await server.sql('DELETE FROM list_deltas; DELETE FROM list_totals; DELETE FROM list_days')
  await put('OLD', 18)
  await relabel()
  await server.sql(
    `INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address, token_symbol,
      project_name, amount, amount_raw, status, is_imported)
    SELECT '0x' || lpad(to_hex(n), 64, '0'), 0, $1, 'deposit', CASE WHEN n = 7 THEN $2 ELSE $3 END, 'OLD', 'Gold',
      n * 1e-18, n, CASE WHEN n % 4 = 0 THEN 'pending' ELSE 'completed' END, false
    FROM generate_series(1, ${transfers}) AS n`,
    [newAddress(), newAddress(), contract],
  )
})

const countLabels = () =>
  server.sql(
    `SELECT token_symbol AS symbol, count(*)::int AS count, bool_and(amount = amount_raw * 1e-6) AS "isRescaled"
    FROM chain_transactions WHERE token_address = $1 GROUP BY 1 ORDER BY 1`,
    [contract],
  )
const countDue = async () => (await server.sql('SELECT FROM transfer_labels_due')).length
const figures = async () => (await ada('GET', '/api/blockchain-transactions/figures')).json<TransactionFigures>()
async function expectExactVolume() {
  const [sum] = await server.sql<{ volume: string }>(
    `SELECT trim_scale(sum(amount))::text AS volume FROM chain_transactions WHERE token_address = $1 AND status = 'completed'`,
    [contract],
  )
  const { volumes, total } = await figures()
  expect(total).toBe(transfers)
  expect(volumes).toContainEqual({ tokenAddress: contract, tokenSymbol: expect.any(String), volume: sum!.volume })
}

test('a corrected token has its transfers corrected by the job (product 6.7)', async () => {
  await put('NEW', 6)
  expect(await countLabels()).toEqual([{ symbol: 'OLD', count: transfers - 1, isRescaled: false }])
  await relabel()
  expect(await countLabels()).toEqual([{ symbol: 'NEW', count: transfers - 1, isRescaled: true }])
  expect(await countDue()).toBe(0)
  const [other] = await server.sql('SELECT token_symbol, amount FROM chain_transactions WHERE id = 7')
  expect(other).toEqual({ token_symbol: 'OLD', amount: '0.000000000000000007' })
  const list = await ada('GET', `/api/blockchain-transactions?tokenAddress=${contract}&limit=1&total=exact`)
  const { transactions, total } = list.json<{ transactions: MonitoredTransaction[]; total: number }>()
  expect([transactions[0]!.tokenSymbol, total]).toEqual(['NEW', transfers - 1])
})

test('a job that is killed goes on after its last batch, and volumes stay exact', async () => {
  await put('NEW', 6)
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM chain_transactions WHERE id = 6000 FOR UPDATE')
  const killed = expect(relabel()).rejects.toThrow()
  const findBlocked = () =>
    server.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    )
  await expect.poll(async () => (await findBlocked()).length).toBe(1)
  await server.sql('SELECT pg_terminate_backend($1)', [(await findBlocked())[0]!.pid])
  await killed
  await holder.query('ROLLBACK')
  holder.release()
  expect((await countLabels()).map(({ count }) => count)).toEqual([4999, transfers - 5000])
  expect(await server.sql('SELECT done_id FROM transfer_labels_due')).toEqual([{ done_id: '5000' }])
  await expectExactVolume()
  await foldListCounts(server)
  await Promise.all([relabel(), relabel()])
  expect(await countLabels()).toEqual([{ symbol: 'NEW', count: transfers - 1, isRescaled: true }])
  expect(await countDue()).toBe(0)
  await expectExactVolume()
})

test('of two corrections the last one holds, also for what the first has reached', async () => {
  await put('FIRST', 8)
  // As after two of three batches.
  await server.sql(`UPDATE chain_transactions SET token_symbol = 'FIRST', amount = amount_raw * 1e-8
    WHERE id <= 10000 AND id <> 7`)
  await server.sql('UPDATE transfer_labels_due SET done_id = 10000')
  await put('LAST', 6)
  await relabel()
  expect(await countLabels()).toEqual([{ symbol: 'LAST', count: transfers - 1, isRescaled: true }])
  await expectExactVolume()
})

test('a correction that is not committed yet is left for the next run', async () => {
  await put('FIRST', 6)
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query(`UPDATE tokens SET token_symbol = 'LAST' WHERE contract_address = $1`, [contract])
  await holder.query('UPDATE transfer_labels_due SET done_id = 0 WHERE contract_address = $1', [contract])
  await relabel()
  const between = await countLabels()
  await holder.query('COMMIT')
  holder.release()
  expect(between).toMatchObject([{ symbol: 'OLD' }])
  await relabel()
  expect(await countLabels()).toMatchObject([{ symbol: 'LAST', count: transfers - 1 }])
})

test('screens that show transfers are told once the last one is corrected (product 3.4)', async () => {
  await put('NEW', 6)
  const listener = await server.services.database.pool.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload = '' }) => heard.push(payload))
  await listener.query(`LISTEN ${changesChannel}`)
  await relabel()
  await server.sql(`SELECT pg_notify('${changesChannel}', 'end')`)
  await expect.poll(() => heard).toContain('end')
  listener.release(true)
  expect(heard.flatMap((lists) => lists.split(','))).toEqual(
    expect.arrayContaining(['users', 'chainTransactions', 'analytics']),
  )
})
