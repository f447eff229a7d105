import { expect, test } from 'vitest'
import type { MemberDetail } from '#contract/schemas/members.ts'
import {
  makeAttempt,
  makeChainTransaction,
  makeFraction,
  makeMember,
  makeOrder,
  makeTransaction,
  makeWallet,
  newAddress,
} from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const detail = async (id: string) => {
  const reply = await server.as('ada')('GET', `/api/users/${id}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<MemberDetail>()
}
const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString()

test('the bundle of a member holds all there is of them, newest first (product 6.2)', async () => {
  const member = await makeMember(server, {
    legalFirstName: 'Ana',
    legalLastName: 'Lima',
    kycStatus: 'under_review',
    kycFrontDocument: 'doc-front',
    kycBackDocument: 'doc-back',
    kycSelfie: 'doc-selfie',
  })
  await makeAttempt(server, member.id, { attempt: 1, at: at(1) })
  await makeAttempt(server, member.id, { attempt: 2, at: at(2) })
  const [old, recent] = [
    await makeWallet(server, member.id, { createdAt: at(3) }),
    await makeWallet(server, member.id, { createdAt: at(4) }),
  ]
  for (const hour of [5, 7, 6]) await makeTransaction(server, member.id, { createdAt: at(hour) })
  await makeChainTransaction(server, old.address, { createdAt: at(9) })
  await makeChainTransaction(server, recent.address, { createdAt: at(8) })
  await makeChainTransaction(server, newAddress())
  await makeFraction(server, member.id, { receivedAt: at(10) })
  await makeOrder(server, member.id)
  const stranger = await makeMember(server)
  await makeTransaction(server, stranger.id)
  await makeFraction(server, stranger.id)

  const found = await detail(member.id)
  const active = { kycBanned: false, bannedReason: null }
  const ref = { id: member.id, email: member.email, legalFirstName: 'Ana', legalLastName: 'Lima', ...active }
  expect(found.user).toMatchObject({
    ...ref,
    kycStatus: 'under_review',
    kycFrontDocumentUrl: 'doc-front',
    kycBackDocumentUrl: 'doc-back',
    kycSelfieUrl: 'doc-selfie',
  })
  expect(found.step2History).toEqual(
    [2, 1].map((attemptNumber) => ({
      id: expect.stringMatching(/^\d+$/),
      attemptNumber,
      status: 'submitted',
      submittedAt: at(attemptNumber),
      dateOfBirth: '1991-03-14',
      nationality: 'PT',
      countryOfResidence: 'ES',
      user: ref,
    })),
  )
  expect(found.step3History[0]).toMatchObject({
    attemptNumber: 2,
    documentType: 'passport',
    frontDocumentUrl: `${member.id}-front-2`,
    backDocumentUrl: `${member.id}-back-2`,
  })
  expect(found.step4History[0]).toMatchObject({ attemptNumber: 2, selfieUrl: `${member.id}-selfie-2` })
  expect(found.submissionHistory[0]).toEqual({
    id: expect.any(String),
    userId: member.id,
    user: ref,
    attemptNumber: 2,
    result: 'under_review',
    autoProcessed: false,
    caseId: `case-${member.id}-2`,
    submittedAt: at(2),
    rejectionReason: null,
  })
  expect(found.userWallets.map((wallet) => wallet.walletAddress)).toEqual([recent.address, old.address])
  expect(found.userTransactions.map((transaction) => transaction.createdAt)).toEqual([at(7), at(6), at(5)])
  expect(found.blockchainTransactions.map((transaction) => transaction.receivedAt)).toEqual([at(9), at(8)])
  expect(found.userFractions).toMatchObject([{ projectName: 'Solar Park', receivedAt: at(10) }])
  expect(found.holdings).toEqual([{ unit: expect.any(String), amount: found.userFractions[0]!.amount }])
  expect(found.totals).toEqual({
    userWallets: 2,
    userTransactions: 3,
    blockchainTransactions: 2,
    userFractions: 1,
    orders: 1,
  })
  expect(found.kycVerification).toEqual({
    rejectionReason: null,
    adminNotes: null,
    attemptNumber: 2,
    decidedBy: null,
    decidedAt: null,
  })
})

test('a member of whom nothing is known yet is all empty', async () => {
  const member = await makeMember(server)
  expect(await detail(member.id)).toMatchObject({
    kycVerification: null,
    banInfo: null,
    step2History: [],
    submissionHistory: [],
    userWallets: [],
    blockchainTransactions: [],
    holdings: [],
    totals: { userWallets: 0, userTransactions: 0, blockchainTransactions: 0, userFractions: 0, orders: 0 },
  })
})

test('amounts leave exactly as stored, however long (product 6.1)', async () => {
  const member = await makeMember(server)
  const wallet = await makeWallet(server, member.id)
  const long = `${'9'.repeat(60)}.${'1'.repeat(18)}`
  await makeTransaction(server, member.id, { amount: '0.10' })
  await makeChainTransaction(server, wallet.address, { amount: long })
  await makeFraction(server, member.id, { amount: '0.000000000000000001' })
  const found = await detail(member.id)
  expect(found.userTransactions[0]!.amount).toBe('0.10')
  expect(found.blockchainTransactions[0]!.amount).toBe(long)
  expect(found.userFractions[0]!.amount).toBe('0.000000000000000001')
})

test('a transfer between members is on both their pages, and on one page once (product 6.2)', async () => {
  const [ana, bob] = [await makeMember(server), await makeMember(server)]
  const [first, second, his] = [
    await makeWallet(server, ana.id),
    await makeWallet(server, ana.id),
    await makeWallet(server, bob.id),
  ]
  const between = (from: string, to: string, n: number) =>
    makeChainTransaction(server, from, {
      transactionType: 'other',
      fromAddress: from,
      toAddress: to,
      createdAt: at(n),
      chainId: 56,
    })
  const given = await between(first.address, his.address, 1)
  const moved = await between(first.address, second.address, 2)
  const taken = await makeChainTransaction(server, his.address, { toAddress: his.address, createdAt: at(3) })
  const hers = await detail(ana.id)
  expect(hers.blockchainTransactions.map(({ id }) => id)).toEqual([moved.id, given.id])
  expect(hers.totals.blockchainTransactions).toBe(2)
  const found = await detail(bob.id)
  expect(found.blockchainTransactions.map(({ id }) => id)).toEqual([taken.id, given.id])
  expect(found.totals.blockchainTransactions).toBe(2)
  for (const wallet of [first, his]) {
    const monitor = await server.as('ada')('GET', `/api/blockchain-transactions?search=${wallet.address}`)
    expect(monitor.json().transactions.map(({ id }: { id: string }) => id)).toContain(given.id)
  }
})

test('each array holds the newest 100, and the totals count all', async () => {
  const member = await makeMember(server)
  const wallet = await makeWallet(server, member.id)
  await server.sql(
    `INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
     SELECT 'bulk-' || n, $1, 'other', n, 'pending', timestamptz '2026-01-01' + n * interval '1 minute'
     FROM generate_series(1, 130) n`,
    [member.id],
  )
  await server.sql(
    `INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address, amount,
       status, is_imported)
     SELECT '0x' || lpad(n::text, 64, '0'), 0, $1, 'deposit', $1, n, 'completed', false FROM generate_series(1, 120) n`,
    [wallet.address],
  )
  const found = await detail(member.id)
  expect(found.userTransactions.map(({ amount }) => Number(amount))).toEqual(
    Array.from({ length: 100 }, (_, index) => 130 - index),
  )
  expect(found.blockchainTransactions).toHaveLength(100)
  expect(found.totals).toMatchObject({ userTransactions: 130, blockchainTransactions: 120 })
})

test('an unknown member is "User not found"', async () => {
  const unknown = await server.as('ada')('GET', '/api/users/nobody')
  expect([unknown.statusCode, unknown.json().message]).toEqual([404, 'User not found'])
  for (const id of ['a%20b', 'x'.repeat(65), '%00', "1'--"]) {
    const reply = await server.as('ada')('GET', `/api/users/${id}`)
    expect([reply.statusCode, reply.json().message], id).toEqual([400, expect.stringContaining('id: ')])
  }
})
