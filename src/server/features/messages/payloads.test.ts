import { eraseMember } from '#server/features/erasure/service.ts'
import { expect, onTestFinished, test } from 'vitest'
import { eventMessage, platformEvents, type PlatformEventType } from '#contract/schemas/platform-events.ts'
import { buildEventBody } from '#server/adapters/platform-endpoint.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import { inTransaction } from '#server/core/context.ts'
import { registerTokens, startReader } from '#test/support/chain-reader.ts'
import { FakeChain, startFakeChainNode, transfer } from '#test/support/fakes/fake-chain.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeAttempt, makeMember, makeOrder, makeWallet, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { type AppliedReply, createStoredLines } from '#test/support/stored-lines.ts'
import { buildEvents as eventsOf } from '#test/support/event-delivery.ts'

const server = await startServer({
  PLATFORM_WEBHOOK_URL: 'https://platform.example/hooks',
  PLATFORM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
})
const ada = server.as('ada')
const call = async (method: 'POST' | 'PATCH', url: string, body?: unknown) => {
  const reply = await ada(method, url, body)
  expect(reply.statusCode, reply.body).toBeLessThan(300)
  return reply.json()
}
interface SentEvent {
  type: PlatformEventType
  entity_type: string
  entity_id: string
  sequence: number
  version: number
  payload: Record<string, unknown>
  created_at: Date
}
const told = (entityId: string) =>
  server.sql<SentEvent>(`SELECT * FROM platform_events WHERE entity_id = $1 ORDER BY id`, [entityId])

/** A deposit that is confirmed, and one that fails while it is pending. */
async function readDeposits(memberId: string) {
  const [token, wallet] = [newAddress(), await makeWallet(server, memberId)]
  await registerTokens(server, { address: token, decimals: 18 })
  const chain = new FakeChain()
  chain.mineEmpty(4)
  const node = await startFakeChainNode(chain)
  onTestFinished(() => node.close())
  const reader = await startReader(server, [node])
  await reader.read()
  const [kept, lost] = [5n, 6n].map((raw) => transfer({ token, from: newAddress(), to: wallet.address, raw }))
  chain.mine([kept!], [], [lost!])
  await reader.read()
  chain.reorg(1, [{ ...lost!, isReverted: true }])
  await reader.read()
  await reader.stop()
}

const { makeLine } = await createStoredLines(server)
const applyAllocations = async (lineId: string, allocations: object[]): Promise<AppliedReply> =>
  call('POST', `/api/bank/lines/${lineId}/allocations`, { allocations, reason: 'Her brother paid' })

/** An order that part of its money comes to, with more that is to be paid back, and that loses that money again. */
async function payInPart(memberId: string) {
  const order = await makeOrder(server, memberId)
  const line = await makeLine({ amount: '60.00' })
  const { allocations } = await applyAllocations(line.id, [
    { purpose: 'order', orderId: order.id, amount: '40.00' },
    { purpose: 'refund', orderId: order.id, amount: '20.00', cause: 'third_party' },
  ])
  const ofOrder = allocations.find(({ purpose }) => purpose === 'order')!
  await call('POST', `/api/bank/allocations/${ofOrder.id}/undo`, { reason: 'Not hers' })
  const debit = await makeLine({ amount: '5.00', direction: 'debit' })
  const back = await applyAllocations(debit.id, [{ purpose: 'refund', lineId: line.id, amount: '5.00' }])
  await call('POST', `/api/bank/allocations/${back.allocations[0]!.id}/undo`, { reason: 'The transfer failed' })
  const refund = allocations.find(({ purpose }) => purpose === 'refund')!
  await call('POST', `/api/bank/allocations/${refund.id}/undo`, { reason: 'He keeps it here' })
  return order
}

/** Makes every change that the platform hears of; answers whom or what each was about. */
async function changeAll() {
  const { id: member } = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
  await makeAttempt(server, member)
  await call('POST', `/api/users/${member}/ban`, { reason: 'Fraud' })
  await call('POST', `/api/users/${member}/unban`)
  await call('POST', `/api/users/${member}/kyc/reject`, {
    rejectionReason: 'Blurred',
    adminNotes: 'Not for the member',
  })
  await call('POST', `/api/users/${member}/kyc/reset`, {})
  await call('POST', `/api/users/${member}/kyc/approve`, {})
  const [paid, cancelled, expired] = await Promise.all([
    makeOrder(server, member),
    makeOrder(server, member),
    makeOrder(server, member, { expiresAt: '2026-01-05T09:00:00.000Z' }),
  ])
  await call('PATCH', `/api/orders/${paid.id}/status`, { status: 'paid', notes: 'Reference 77' })
  await call('PATCH', `/api/orders/${cancelled.id}/status`, { status: 'cancelled', notes: 'Never paid' })
  await runJob(server.services, 'expire-orders')
  const contractAddress = newAddress()
  const { token } = await call('POST', '/api/tokens/earning', { projectName: 'A', tokenSymbol: 'ABC', contractAddress })
  await call('PATCH', `/api/tokens/earning/${token.id}`, { isActive: false })
  await call('POST', '/api/endpoints/1/test')
  await readDeposits(member)
  const partPaid = await payInPart(member)
  await eraseMember(server.system, (await makeMember(server)).id)
  return { member, partPaid, paid, cancelled, expired, contractAddress, tokenId: token.id as string }
}

test('each event carries what the contract says and nothing more (product 10.4)', async () => {
  const { member, partPaid, paid, cancelled, expired, contractAddress, tokenId } = await changeAll()
  const events = await server.sql<SentEvent>(`SELECT * FROM platform_events ORDER BY id`)
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(Object.keys(platformEvents).toSorted())
  for (const { type, entity_type: entityType, entity_id: entityId, sequence, version, payload, created_at } of events) {
    const head = { type, entityType, entityId, sequence, version, createdAt: created_at.toISOString() }
    const body: unknown = JSON.parse(buildEventBody({ ...head, payload }))
    expect(eventMessage(type).safeParse(body).error).toBeUndefined()
  }
  const membershipId = expect.stringMatching(/^MB-\d{8}$/)
  const ofMember = { memberId: member, membershipId: null }
  expect((await told(member)).map(({ payload }) => payload)).toEqual([
    { ...ofMember, reason: 'Fraud' },
    ofMember,
    { ...ofMember, attemptNumber: 1, kycStatus: 'rejected', reason: 'Blurred', final: false },
    { ...ofMember, attemptNumber: 1, kycStatus: 'pending' },
    { memberId: member, membershipId, attemptNumber: 1, kycStatus: 'approved' },
  ])
  const [paidEvent, cancelledEvent, expiredEvent] = await Promise.all(
    [paid, cancelled, expired].map(async ({ orderNumber }) => (await told(orderNumber))[0]!.payload),
  )
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect([paidEvent, cancelledEvent, expiredEvent]).toEqual([
    { orderNumber: paid.orderNumber, memberId: member, status: 'paid', at: instant, notes: 'Reference 77' },
    { orderNumber: cancelled.orderNumber, memberId: member, status: 'cancelled', at: instant, notes: 'Never paid' },
    { orderNumber: expired.orderNumber, memberId: member, status: 'expired', at: '2026-01-05T09:00:00.000Z' },
  ])
  const ofPartPaid = { orderNumber: partPaid.orderNumber, memberId: member, at: instant, currency: 'EUR' }
  const ofRefund = { ...ofPartPaid, refundId: expect.stringMatching(/^\d+$/), amount: '20.00' }
  const bookedOn = new Date().toISOString().slice(0, 10)
  expect((await told(partPaid.orderNumber)).map(({ type, payload }) => ({ type, ...payload }))).toEqual([
    { type: 'order.payment_received', ...ofPartPaid, received: '40.00', outstanding: '1460.50', bookedOn },
    { type: 'order.refund_due', ...ofRefund, outstanding: '20.00', cause: 'third_party' },
    {
      type: 'order.payment_reversed',
      ...ofPartPaid,
      status: 'waiting_payment',
      received: '0.00',
      outstanding: '1500.50',
      reason: 'Not hers',
    },
    { type: 'order.refund_paid', ...ofRefund, outstanding: '15.00', bookedOn },
    { type: 'order.refund_due', ...ofRefund, outstanding: '20.00', cause: 'third_party' },
    { type: 'order.refund_withdrawn', ...ofRefund, reason: 'He keeps it here' },
  ])
  expect(await told(`earning/${contractAddress.toLowerCase()}`)).toMatchObject([
    { type: 'token.created', entity_type: 'token', payload: { kind: 'earning', tokenSymbol: 'ABC', isActive: true } },
    { type: 'token.updated', entity_type: 'token', payload: { tokenId, contractAddress, isActive: false } },
  ])
})

test('an order that the bank paid tells how, in the order of its outcome (product 10.5)', async () => {
  const { id: memberId } = await makeMember(server)
  const { id: orderId, orderNumber } = await makeOrder(server, memberId, { investmentAmount: '100' })
  const [first, second] = [await makeLine({ bookedOn: '2026-01-05' }), await makeLine({ bookedOn: '2026-01-07' })]
  const ofOrder = (amount: string) => [{ purpose: 'order', orderId, amount }]
  await applyAllocations(first.id, ofOrder('60'))
  const { allocations } = await applyAllocations(second.id, ofOrder('40'))
  await call('POST', `/api/bank/allocations/${allocations[0]!.id}/undo`, { reason: 'Wrong line' })
  await applyAllocations(second.id, ofOrder('40'))
  const events = await told(orderNumber)
  expect(events.map(({ type, sequence, version }) => [type, sequence, version])).toEqual([
    ['order.payment_received', 1, 2],
    ['order.paid', 2, 3],
    ['order.payment_reversed', 3, 4],
    ['order.paid', 4, 5],
  ])
  const payment = {
    via: 'bank',
    amount: '100.00',
    currency: 'EUR',
    bookedOn: '2026-01-07',
    allocations: 2,
    late: false,
  }
  expect([events[1]!.payload, events[3]!.payload]).toMatchObject([{ payment }, { payment }])
  expect(events[2]!.payload).toMatchObject({ status: 'waiting_payment', received: '60.00', outstanding: '40.00' })
  expect(JSON.stringify(events)).not.toContain('ANA LIMA')
})

test('events of an entity stand in the order of its changes (product 10.4)', async () => {
  const { id } = await makeMember(server)
  const turns = Array.from({ length: 24 }, (_, n) =>
    n % 2 ? ada('POST', `/api/users/${id}/unban`) : ada('POST', `/api/users/${id}/ban`, { reason: `Turn ${n}` }),
  )
  const done = (await Promise.all(turns)).filter((reply) => reply.statusCode === 200)
  const events = await told(id)
  const types = events.map(({ type }) => type)
  expect(types).toHaveLength(done.length)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  expect(events.map(({ version }) => version)).toEqual(events.map((_, at) => at + 2))
  expect(types).toEqual(types.map((_, at) => (at % 2 ? 'member.unbanned' : 'member.banned')))
  const [{ banned } = { banned: undefined }] = await server.sql('SELECT banned FROM members WHERE id = $1', [id])
  expect(types.at(-1)).toBe(banned ? 'member.banned' : 'member.unbanned')
})

test("a token's events are numbered per kind, of the same contract too", async () => {
  const contractAddress = newAddress()
  for (const kind of ['earning', 'fractions']) {
    const { token } = await call('POST', `/api/tokens/${kind}`, {
      projectName: 'A',
      tokenSymbol: 'ABC',
      contractAddress,
    })
    await call('PATCH', `/api/tokens/${kind}/${token.id}`, { isActive: false })
    const events = await told(`${kind}/${contractAddress}`)
    expect(events.map(({ sequence, version }) => [sequence, version])).toEqual([
      [1, 1],
      [2, 2],
    ])
  }
})

test('events of one entity that are written together are numbered in order', async () => {
  const [ban, unban] = eventsOf('n-1', 'member.banned', 'member.unbanned')
  const write = () =>
    inTransaction(server.system, (tx) =>
      enqueueEvents(tx, server.system, [ban!, ...eventsOf('n-2', 'member.banned'), unban!]),
    )
  await write()
  await write()
  expect((await told('n-1')).map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'member.banned'],
    [2, 'member.unbanned'],
    [3, 'member.banned'],
    [4, 'member.unbanned'],
  ])
  expect((await told('n-2')).map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('a change that is rolled back takes no number with it', async () => {
  const { id } = await makeMember(server)
  const failed = inTransaction(server.system, async (tx) => {
    await enqueueEvents(tx, server.system, eventsOf(id, 'member.banned'))
    throw new Error('undone')
  })
  await expect(failed).rejects.toThrow('undone')
  await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  expect((await told(id)).map(({ sequence }) => sequence)).toEqual([1])
})
