import { beforeAll, expect, test } from 'vitest'
import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { type Proposal, rankCandidates } from '#server/features/bank/matching/rank-candidates.ts'
import { MemoryLookup } from '#test/support/memory-lookup.ts'
import type { MatchLookup } from '#server/features/bank/matching/lookup.ts'
import { loadLookup } from '#server/features/bank/candidates/load-lookup.ts'
import { refreshPayerNames } from '#server/features/bank/proposals/payer-names.ts'
import { startServer } from '#test/support/server.ts'
import { makeLines } from './lines.ts'
import type { LabelledLine } from './score.ts'
import { storeAccount, storeLines, storePayers, storePayment, storeDataset } from './store-dataset.ts'
import { makeDataset } from './dataset.ts'

const server = await startServer()
const { db } = server.services.database
const generated = makeDataset(7, 'demo')
const orders = generated.orders.map((order) =>
  order.status === 'paid' ? { ...order, received: order.investmentAmount } : order,
)
const memory = new MemoryLookup({ ...generated, orders })
const lines: LabelledLine[] = await makeLines(generated)
const stored = await storeAccount(db, 'DE89370400440532013000')
await storeDataset(db, generated, stored)

/** What a proposal shows. */
const describe = ({ outcome, candidates, equallyGood, named }: Proposal) => ({
  outcome,
  equallyGood,
  candidates: candidates.map((each) => ({
    orders: listOrders(each).map(({ orderNumber }) => orderNumber),
    points: each.points,
    flags: each.kind === 'order' ? each.flags : [],
    reasons: each.reasons.map(({ text }) => text),
    allocations: each.kind === 'return' ? [] : each.allocations,
  })),
  named: named.map(({ order, kind, text, isShared }) => `${kind} ${text} ${order.orderNumber} ${isShared}`).toSorted(),
})
const propose = ({ line, account }: LabelledLine, lookup: MatchLookup) =>
  describe(rankCandidates(line, lookup, { account }))

async function compareLookups(compared: readonly LabelledLine[]) {
  for (let at = 0; at < compared.length; at += 100) {
    const batch = compared.slice(at, at + 100)
    const lookup = await loadLookup(
      db,
      batch.map(({ line }) => line),
    )
    for (const labelled of batch)
      expect(propose(labelled, lookup), JSON.stringify(labelled.line)).toEqual(propose(labelled, memory))
  }
}

beforeAll(() => refreshPayerNames(server.services.database, null, new AbortController().signal))

test('the database finds for each line what a lookup in memory finds', async () => {
  expect(lines.length).toBeGreaterThan(900)
  await compareLookups(lines)
})

test('the database finds the same once payments were applied, for debits too', async () => {
  const isWhole = ({ payment: { truth, direction } }: LabelledLine) =>
    direction === 'credit' &&
    truth.length === 1 &&
    truth.every(({ orderId, amount }) => memory.getOrder(orderId).investmentAmount === amount)
  const seen = new Set<string>()
  const paid = lines.filter(
    (each) => isWhole(each) && !seen.has(each.payment.truth[0]!.orderId) && seen.add(each.payment.truth[0]!.orderId),
  )
  const applied = paid.filter(
    ({ payment: { truth } }) => memory.getOrder(truth[0]!.orderId).status === 'waiting_payment',
  )
  const ids = await storeLines(
    db,
    stored,
    applied.map(({ line }) => line),
  )
  for (const [at, { line, payment }] of applied.entries()) {
    memory.applyAllocations(line, payment.truth)
    await storePayment(db, ids[at]!, payment.truth)
    const { memberId } = memory.getOrder(payment.truth[0]!.orderId)
    await storePayers(
      db,
      ids[at]!,
      memory.findAccounts(memberId).map((account) => ({ account, memberId })),
    )
  }
  await compareLookups(lines)
  const debits = lines.filter(({ line, payment }) => line.direction === 'debit' && payment.truth.length > 0)
  const found = debits.filter((each) => propose(each, memory).candidates.length > 0)
  expect(found.length).toBeGreaterThan(5)
}, 120_000)
