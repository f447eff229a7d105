import { expect, test } from 'vitest'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { RangeSize, readRefusal } from './range-size.ts'
import { classifyTransfer, readTransfer, toAmount, topicOf, transferTopic } from './transfers.ts'

const [ana, bob, shop] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const isMember = (address: string) => address === ana || address === bob

test.each([
  [shop, ana, { transactionType: 'deposit', walletAddress: ana }],
  [ana, shop, { transactionType: 'withdrawal', walletAddress: ana }],
  [ana, bob, { transactionType: 'other', walletAddress: ana }],
  [ana, ana, { transactionType: 'other', walletAddress: ana }],
  [`0x${'0'.repeat(40)}`, bob, { transactionType: 'deposit', walletAddress: bob }],
  [shop, shop, null],
])('from %s to %s is %o (product 6.6)', (fromAddress, toAddress, whose) => {
  expect(classifyTransfer({ fromAddress, toAddress }, isMember)).toEqual(whose)
})

test.each([
  [1n, 18, '0.000000000000000001'],
  [1_500_000n, 6, '1.5'],
  [1_000_000n, 6, '1'],
  [42n, 0, '42'],
  [0n, 18, '0'],
  [2n ** 256n - 1n, 18, `${2n ** 256n - 1n}`.replace(/(\d{18})$/, '.$1')],
  [10n ** 60n - 1n, 0, '9'.repeat(60)],
  [2n ** 256n - 1n, 0, `${2n ** 256n - 1n}`],
])('%s of a token with %s decimals is %s (product 6.1)', (raw, decimals, amount) => {
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

test('only Transfer logs of fungible tokens are read as transfers', () => {
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
])('%o is not a log, so that the next node is asked', (value) => {
  expect(() => readTransfer(value)).toThrow(RpcError)
})

test.each([
  ['exceed maximum block range: 500', { isTooMuch: false, limit: 500 }],
  ['block range is too wide', { isTooMuch: false, limit: undefined }],
  ['eth_getLogs is limited to a 1,000 block range', { isTooMuch: false, limit: 1000 }],
  ['eth_getLogs is limited to a 10 range', { isTooMuch: false, limit: 10 }],
  ['range 2000 exceeds limit of 10', { isTooMuch: false, limit: 10 }],
  ['Maximum allowed number of requested blocks is 10', { isTooMuch: false, limit: 10 }],
  ['query exceeds max block range 100000', { isTooMuch: false, limit: undefined }],
  ['invalid params', { isTooMuch: false, limit: undefined }],
  ['limit exceeded', { isTooMuch: false, limit: undefined }],
  ['no', { isTooMuch: false, limit: undefined }],
  ['query returned more than 10000 results', { isTooMuch: true, limit: undefined }],
  [
    'query returned more than 1000 results. Try with this block range [0x1, 0x2]',
    { isTooMuch: true, limit: undefined },
  ],
  ['logs matched by query exceeds limit of 10000', { isTooMuch: true, limit: undefined }],
  ['Log response size exceeded', { isTooMuch: true, limit: undefined }],
  ['response size is larger than 150MB limit', { isTooMuch: true, limit: undefined }],
  ['the node answers HTTP 413', { isTooMuch: true, limit: undefined }],
  ['query timed out', { isTooMuch: true, limit: undefined }],
])('a refusal of 2,000 blocks that reads “%s” means %o', (message, refusal) => {
  expect(readRefusal(new RpcError('refused', message), 2000)).toEqual(refusal)
})

const tooMuch = { isTooMuch: true, limit: undefined }
const rule = (limit?: number) => ({ isTooMuch: false, limit })

test('a stretch that holds too much is no matter of the next one', () => {
  const range = new RangeSize(2000)
  range.recordRefusal(2000, tooMuch)
  range.recordRefusal(1000, tooMuch)
  expect(range.size).toBe(500)
  for (let n = 0; n < 9; n++) range.recordAnswer(range.size)
  expect(range.size).toBe(2000)
})

test('a rule about ranges is remembered, and tried again after many answers', () => {
  const range = new RangeSize(2000)
  range.recordRefusal(2000, rule(10))
  expect(range.size).toBe(10)
  for (let n = 0; n < 9; n++) range.recordAnswer(range.size)
  expect(range.size).toBe(10)
  for (let n = 0; n < 1000; n++) range.recordAnswer(range.size)
  expect(range.size).toBeGreaterThan(10)
})

test('a rule that is not stated is found, and then costs no more refusals', () => {
  const range = new RangeSize(2000)
  let refusals = 0
  for (let n = 0; n < 300; n++)
    if (range.size > 7) {
      refusals++
      range.recordRefusal(range.size, rule())
    } else range.recordAnswer(range.size)
  expect([range.size, refusals < 20]).toEqual([7, true])
})

test('a single block that is refused says nothing of ranges', () => {
  const range = new RangeSize(2000)
  for (let n = 0; n < 12; n++) range.recordRefusal(range.size, rule())
  for (let n = 0; n < 20; n++) range.recordAnswer(range.size)
  expect(range.size).toBe(2000)
})
