import { expect, test } from 'vitest'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { RangeSize } from './range-size.ts'
import { refusalOf } from './refusals.ts'
import { classify, readTransfer, toAmount, topicOf, transferTopic } from './transfers.ts'

const [ana, bob, shop] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const isMember = (address: string) => address === ana || address === bob

test.each([
  [shop, ana, { transactionType: 'deposit', walletAddress: ana }],
  [ana, shop, { transactionType: 'withdrawal', walletAddress: ana }],
  [ana, bob, { transactionType: 'other', walletAddress: ana }],
  [ana, ana, { transactionType: 'other', walletAddress: ana }],
  [`0x${'0'.repeat(40)}`, bob, { transactionType: 'deposit', walletAddress: bob }],
  [shop, shop, null],
])('SPEC 3: from %s to %s is %o', (fromAddress, toAddress, whose) => {
  expect(classify({ fromAddress, toAddress }, isMember)).toEqual(whose)
})

test.each([
  [1n, 18, '0.000000000000000001'],
  [1_500_000n, 6, '1.5'],
  [1_000_000n, 6, '1'],
  [42n, 0, '42'],
  [0n, 18, '0'],
  [2n ** 256n - 1n, 18, `${2n ** 256n - 1n}`.replace(/(\d{18})$/, '.$1')],
  [10n ** 60n - 1n, 0, '9'.repeat(60)],
  [10n ** 60n, 0, undefined],
])('PRODUCT 3.14: %s of a token with %s decimals is %s', (raw, decimals, amount) => {
  expect(toAmount(raw, decimals)).toBe(amount)
})

const log = {
  address: shop.toUpperCase().replace('X', 'x'),
  topics: [transferTopic, topicOf(ana), topicOf(bob)],
  data: `0x${'0'.repeat(63)}7`,
  blockNumber: '0x10',
  blockHash: `0x${'d'.repeat(64)}`,
  transactionHash: `0x${'E'.repeat(64)}`,
  logIndex: '0x0',
}

test('a log is read as a transfer; other events and tokens that are not fungible are none', () => {
  expect(readTransfer(log)).toEqual({
    transactionHash: `0x${'e'.repeat(64)}`,
    logIndex: 0,
    blockNumber: 16,
    blockHash: log.blockHash,
    at: undefined,
    tokenAddress: shop,
    fromAddress: ana,
    toAddress: bob,
    raw: 7n,
  })
  for (const other of [
    { topics: [...log.topics, topicOf(ana)] },
    { topics: [log.blockHash, ...log.topics.slice(1)] },
    { topics: log.topics.slice(0, 1) },
    { data: '0x' },
    { data: `${log.data}00` },
  ])
    expect(readTransfer({ ...log, ...other })).toBeUndefined()
})

test.each([
  null,
  'log',
  { ...log, removed: true },
  { ...log, blockNumber: null },
  { ...log, logIndex: '7' },
  { ...log, transactionHash: '0x1' },
  { ...log, topics: undefined },
])('%o is no log, so that the next node is asked', (value) => {
  expect(() => readTransfer(value)).toThrow(RpcError)
})

test.each([
  ['exceed maximum block range: 5000', 'range'],
  ['block range is too wide', 'range'],
  ['eth_getLogs is limited to a 10,000 block range', 'range'],
  ['You can make eth_getLogs requests with up to a 500 block range.', 'range'],
  ['eth_getLogs and eth_newFilter are limited to 5 blocks', 'range'],
  ['query exceeds max block range 100000', 'range'],
  ['query returned more than 10000 results', 'too_much'],
  ['query returned more than 1000 results. Try with this block range [0x1, 0x2]', 'too_much'],
  ['Log response size exceeded. Query returned more than 10K logs; use this block range', 'too_much'],
  ['response size is larger than 150MB limit', 'too_much'],
  ['the node answers HTTP 413', 'too_much'],
  ['query timed out', 'too_much'],
  ['limit exceeded', undefined],
  ['Too many requests, please slow down', undefined],
  ['rate limit exceeded: too many calls', undefined],
  ['the node cannot be reached', undefined],
  ['header not found', undefined],
])('a node that says “%s” means %s', (message, refusal) => {
  expect(refusalOf(new RpcError('unavailable', message))).toBe(refusal)
})

test('a rule about ranges is remembered, a stretch that holds too much is not', () => {
  const range = new RangeSize(2000)
  range.refused(2000, 'too_much')
  range.refused(1000, 'too_much')
  expect(range.size).toBe(500)
  for (let n = 0; n < 9; n++) range.answered(range.size)
  expect(range.size).toBe(2000)
  range.refused(2000, 'range')
  for (let n = 0; n < 9; n++) range.answered(range.size)
  expect(range.size).toBe(1000)
  for (let n = 0; n < 1000; n++) range.answered(range.size)
  expect(range.size, 'in the end it is tried again').toBeGreaterThan(1000)
})
