import { beforeEach, expect, test } from 'vitest'
import type { LiveList } from '#contract/live.ts'
import { changesChannel } from '#server/core/audit.ts'
import { buildMemberLine, createImporter } from '#test/support/import.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const send = createImporter(server)
const { pool } = server.services.database

/** The lists that are announced while `change` runs. */
async function readAnnounced(change: () => Promise<unknown>) {
  const listener = await pool.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload = '' }) => heard.push(...payload.split(',')))
  await listener.query(`LISTEN ${changesChannel}`)
  await change()
  // What was announced before comes before it.
  await server.sql(`SELECT pg_notify('${changesChannel}', 'end')`)
  await expect.poll(() => heard).toContain('end')
  listener.release(true)
  return heard
}

const createdAt = '2026-01-05T10:00:00Z'
const address = (digit: string) => `0x${digit.repeat(40)}`
const kindsOfLines: [object, LiveList[]][] = [
  [buildMemberLine('m-2'), ['users', 'analytics', 'orders', 'kyc']],
  [
    { type: 'token', contractAddress: address('a'), projectName: 'Tidal', tokenSymbol: 'TIDE', kind: 'earning' },
    ['tokens', 'analytics'],
  ],
  [
    { type: 'transaction', id: 't-1', memberId: 'm-1', kind: 'other', amount: '1', status: 'pending', createdAt },
    ['users', 'transactions', 'analytics'],
  ],
  [
    {
      type: 'chainTransaction',
      transactionHash: `0x${'b'.repeat(64)}`,
      logIndex: 0,
      walletAddress: address('c'),
      transactionType: 'other',
      tokenAddress: address('a'),
      amount: '1',
      status: 'failed',
      createdAt,
    },
    ['users', 'chainTransactions'],
  ],
]

beforeEach(() => send(buildMemberLine('m-1')))

test('what the platform imports names each list that shows it (product 3.4)', async () => {
  for (const [line, lists] of kindsOfLines)
    expect(await readAnnounced(() => send(line))).toEqual(expect.arrayContaining(lists))
})

test('a ban names the members and every list that marks them as banned (product 3.4)', async () => {
  const heard = await readAnnounced(() => server.as('joan')('POST', '/api/users/m-1/ban', { reason: 'Fraud' }))
  expect(heard).toEqual(expect.arrayContaining(['users', 'analytics', 'kyc', 'orders', 'transactions']))
})
