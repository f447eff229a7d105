import { camtBalance, camtEntry, camtFile, mt940File, specimenIban } from './bank-files.ts'
import { createBankCaller } from './bank.ts'
import { makeAttempt, makeMember, makeOrder, newAddress } from './make.ts'
import { createAllocationCaller, createStoredLines, payOrder } from './stored-lines.ts'
import type { TestServer } from './server.ts'

/** Data that changes of the console are made on. */
export function createCrashFixtures(server: TestServer) {
  let admins = 0
  let accounts = 0

  const rowId = async (text: string, values: unknown[] = []) => (await server.sql<{ id: string }>(text, values))[0]!.id

  /** A member whose submitted attempt waits for a decision, and its verification. */
  async function makeCase() {
    const { id: memberId } = await makeMember(server, {
      kycStatus: 'under_review',
      kycSubmissionCount: 1,
      kycCurrentStep: 4,
    })
    await makeAttempt(server, memberId)
    return { memberId, id: await rowId('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [memberId]) }
  }
  async function makeWaitingOrder() {
    const { id: memberId } = await makeMember(server)
    return makeOrder(server, memberId)
  }
  async function makeOrderPaidByHand() {
    const { id: memberId } = await makeMember(server)
    return makeOrder(server, memberId, { status: 'paid', paidVia: 'hand' })
  }
  const claimFor = (id: string) =>
    server.sql(
      `INSERT INTO kyc_claims SELECT $1, id, now() + interval '5 minutes' FROM admins WHERE username = 'ada'`,
      [id],
    )
  /** A case, and another one that the operator holds. */
  async function makeCaseBesideAHeldOne() {
    await server.sql('DELETE FROM kyc_claims')
    await claimFor((await makeCase()).id)
    return makeCase()
  }
  const makeToken = (isActive: boolean) =>
    rowId(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals, is_active)
       VALUES ('earning', '🪙', 'Solar Park', $1, 'SUN', 18, $2) RETURNING id::text`,
      [newAddress(), isActive],
    )
  /** An endpoint beside that of the settings, with `more` of its columns; the others go, since their number is limited. */
  async function makeEndpoint(more: { previousSecret?: string; isPaused?: boolean } = {}) {
    await server.sql('UPDATE platform_endpoints SET deleted_at = now() WHERE id <> 1 AND deleted_at IS NULL')
    return rowId(
      `INSERT INTO platform_endpoints (name, url, secret, previous_secret, paused_at, created_by)
       VALUES ($1, 'https://platform.example/events', 'whsec_new', $2, CASE WHEN $3 THEN now() END, 'ada') RETURNING id::text`,
      ['Ledger', more.previousSecret ?? null, more.isPaused ?? false],
    )
  }
  /** An admin who has signed in before, from elsewhere; with the tests' own password when no other hash is given. */
  async function makeAdmin(passwordHash?: string) {
    const username = `ada-${++admins}`
    await server.sql('DELETE FROM sign_in_throttles')
    await server.sql(
      `INSERT INTO admins (username, password_hash, role, last_sign_in_at)
       SELECT $1, coalesce($2, password_hash), role, now() FROM admins WHERE username = 'ada'`,
      [username, passwordHash],
    )
    return username
  }

  /** An account and a file of it; a number of many digits, as the database gives them. */
  async function makeStatementFile() {
    const account = String(2_000_000 + ++accounts)
    const id = await rowId(
      `INSERT INTO bank_accounts (name, account, account_key, currency) VALUES ('Giro', $1, $1, 'EUR') RETURNING id::text`,
      [account],
    )
    const file = mt940File(':61:261103C5,00NTRF', ':86:ONE', ':61:261103D2,00NTRF', ':62F:C261103EUR103,00')
    return { id, account, file: Buffer.from(file.replace(specimenIban, account)) }
  }

  /** Three imports of one account: the second has booked a line of the first, and before the third a statement is missing. */
  async function makeImports() {
    const { account } = await makeStatementFile()
    const bank = createBankCaller(server, 'grace')
    const file = (balances: [string, string], ...entries: string[]) =>
      camtFile(camtBalance('OPBD', balances[0]) + camtBalance('CLBD', balances[1]) + entries.join(''), {
        iban: 'X',
      }).replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
    const files = [
      file(['0.00', '0.00'], camtEntry('5.00', 'CRDT', '', '<Sts><Cd>PDNG</Cd></Sts>')),
      file(['0.00', '7.00'], camtEntry('5.00', 'CRDT'), camtEntry('2.00', 'CRDT')),
      file(['70.00', '71.00'], camtEntry('1.00', 'CRDT')).replaceAll('2026-11-03', '2026-11-09'),
    ]
    const ids: string[] = []
    for (const each of files) ids.push((await bank.importFile(each)).import.id!)
    return ids
  }

  /** A line of 120.00 EUR, and an order of its payer that waits for 100.00 EUR. */
  async function makeLineAndOrder() {
    const { makeLine } = await createStoredLines(server, String(2_000_000 + ++accounts))
    const { id: memberId } = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
    const order = await makeOrder(server, memberId, { investmentAmount: '100.00' })
    const line = await makeLine({ amount: '120.00', payerAccount: `PT-${5_000_000 + accounts}`, place: 'line 1' })
    return { lineId: line.id, orderId: order.id, makeLine }
  }
  /** The allocation of a line that paid an order. */
  async function makePayment() {
    const { lineId, orderId } = await makeLineAndOrder()
    const { allocations } = await createAllocationCaller(server, 'grace').apply(lineId, [
      payOrder({ id: orderId }, '100.00'),
    ])
    return allocations[0]!.id
  }
  const callAsGrace = createAllocationCaller(server, 'grace')
  /** A line of which 100.00 EUR pay an order, and the rest is to be paid back. */
  async function makeDividedLine() {
    const { lineId, orderId } = await makeLineAndOrder()
    const { allocations } = await callAsGrace.apply(lineId, [
      payOrder({ id: orderId }, '100.00'),
      { purpose: 'refund', orderId, amount: '20.00', cause: 'overpaid' },
    ])
    return { lineId, allocationIds: allocations.map(({ id }) => id) }
  }
  /** A credit of which 100.00 EUR are to be paid back, and a debit of as much. */
  async function makeRefundAndDebit() {
    const { makeLine } = await createStoredLines(server, String(2_000_000 + ++accounts))
    const [credit, debit] = [await makeLine(), await makeLine({ direction: 'debit' })]
    await callAsGrace.apply(credit.id, [{ purpose: 'refund', amount: '100.00', cause: 'overpaid' }])
    return { creditId: credit.id, debitId: debit.id }
  }
  /** The allocation of a debit that took the payment of an order back. */
  async function makeReversal() {
    const { lineId, orderId, makeLine } = await makeLineAndOrder()
    await callAsGrace.apply(lineId, [payOrder({ id: orderId }, '100.00')])
    const debit = await makeLine({ direction: 'debit', isReversal: true })
    const { allocations } = await callAsGrace.apply(debit.id, [{ purpose: 'reversal', lineId, amount: '100.00' }])
    return allocations[0]!.id
  }
  /** A refund of 100.00 EUR for an order that went out, and a credit of 92.50 EUR by which the rest of it came back. */
  async function makeReturnedTransfer() {
    const { makeLine } = await createStoredLines(server, String(2_000_000 + ++accounts))
    const { id: memberId } = await makeMember(server)
    const order = await makeOrder(server, memberId, { investmentAmount: '100.00' })
    const [credit, debit] = [await makeLine(), await makeLine({ direction: 'debit' })]
    await callAsGrace.apply(credit.id, [{ purpose: 'refund', amount: '100.00', cause: 'overpaid', orderId: order.id }])
    await callAsGrace.apply(debit.id, [{ purpose: 'refund', lineId: credit.id, amount: '100.00' }])
    const line = await makeLine({ amount: '92.50', isReversal: true })
    return { lineId: line.id, transferId: debit.id }
  }
  /** The allocation of a credit that returned a transfer. */
  async function makeReturn() {
    const { lineId, transferId } = await makeReturnedTransfer()
    const { allocations } = await callAsGrace.apply(lineId, [
      { purpose: 'return', lineId: transferId, amount: '92.50' },
    ])
    return allocations[0]!.id
  }
  const claimLineFor = async (id: string) => {
    await server.sql('DELETE FROM bank_claims')
    await server.sql(
      `INSERT INTO bank_claims (line_id, admin_id, claimed_until)
       SELECT $1, id, now() + interval '5 minutes' FROM admins WHERE username = 'ada'`,
      [id],
    )
  }
  const setPolicy = (isOn: boolean) =>
    server.sql('UPDATE bank_policy SET auto_apply = $1, version = 1, changed_by = NULL, changed_at = NULL', [isOn])
  /** Two equal lines that the policy applies, each to the order that it names. */
  async function makeExactLines() {
    await setPolicy(true)
    const { makeLine } = await createStoredLines(server, String(2_000_000 + ++accounts))
    const lines = []
    const { id: memberId } = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
    for (const tail of ['03', '14']) {
      const orderNumber = `ORD-${String(1000 + ++accounts)}${tail}`
      await makeOrder(server, memberId, { orderNumber, investmentAmount: '100.00' })
      const line = await makeLine({
        remittance: [orderNumber],
        proposedOrders: [orderNumber],
        place: 'line 1',
        position: 1,
      })
      lines.push({ id: line.id, version: line.version })
    }
    return lines
  }
  /** What the policy, off again, is changed to. */
  async function makePolicy() {
    await setPolicy(false)
    return {
      autoApply: true,
      autoCombined: false,
      autoRemainder: false,
      payerName: 'same',
      feeTolerance: '35.00',
      graceDays: 1,
      overpaidUpTo: '0.00',
      reasonForThirdParty: true,
      maxAutoAmount: null,
    }
  }
  const makeTreasuryWallet = () =>
    rowId(
      `INSERT INTO treasury_wallets (address, label, created_by) VALUES ($1, 'Payouts', 'ada') RETURNING id::text`,
      [newAddress()],
    )
  /** A token to read of a chain that was not read yet. */
  async function makeUnreadToken() {
    await server.sql('DELETE FROM treasury_readings')
    await server.sql('DELETE FROM tokens')
    return makeToken(true)
  }

  return {
    rowId,
    claimLineFor,
    makeExactLines,
    makePolicy,
    makeTreasuryWallet,
    makeUnreadToken,
    makeStatementFile,
    makeImports,
    makeLineAndOrder,
    makePayment,
    makeDividedLine,
    makeRefundAndDebit,
    makeReversal,
    makeReturnedTransfer,
    makeReturn,
    makeCase,
    makeWaitingOrder,
    makeOrderPaidByHand,
    claimFor,
    makeCaseBesideAHeldOne,
    makeToken,
    makeEndpoint,
    makeAdmin,
  }
}
