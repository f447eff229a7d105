import type { APIRequestContext } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { addBankAccount, applyAllocations, importPayment } from './bank.ts'
import { newWord, buildSubmission } from './members.ts'
import { buildFailedTry, insertTriesSql } from '#test/support/case-tries.ts'

export interface ExtremeRows {
  /** The id and e-mail of a member with the longest of everything. */
  memberId: string
  email: string
  /** An order that waits for payment. */
  orderId: string
  orderNumber: string
  /** An order of the same member that waits for the rest of its payment, with a payment that was undone. */
  paidOrderId: string
}

const repeatText = (word: string, length: number) => `${word} `.repeat(length).slice(0, length).trim()
const buildUnbroken = (length: number) => 'W'.repeat(length)
const buildHex = (word: string, length: number) =>
  `0x${Buffer.from(word).toString('hex').padEnd(length, '0').slice(0, length)}`

/** Imports the longest rows that the platform may send, as the newest of every list. */
export async function importExtremeRows(server: ConsoleServer, operator: APIRequestContext): Promise<ExtremeRows> {
  const word = newWord()
  const memberId = `m-${word}`.padEnd(64, '-0123456789')
  const email = `${word}.${'e'.repeat(40)}@${'department.'.repeat(12)}example.com`
  const now = new Date().toISOString()
  const expiresAt = new Date(Date.now() + 6.5 * 3_600_000).toISOString()
  const orderNumber = `ORD-2026-${word}`.padEnd(58, '-000000') + '011101'
  const paidNumber = `ORD-2027-${word}`.padEnd(58, '-000000') + '011101'
  const money = '123456789012345.99'
  const units = '123456789012345.123456789012345678'
  const wallet = buildHex(word, 40)
  const tokenAddress = buildHex(`${word}t`, 40)
  const member = { type: 'member', createdAt: now }
  const order = {
    type: 'order',
    projectId: buildUnbroken(64),
    investmentAmount: money,
    currency: 'EUR',
    expiresAt,
    createdAt: now,
    bankName: repeatText('Landesbausparkasse', 200),
    accountHolder: buildUnbroken(200),
    accountNumber: '0123456789'.repeat(6),
    iban: 'DE89370400440532013000',
    swift: 'COBADEFFXXX',
    paymentInstructions: repeatText('Überweisungsverwendungszweck', 600),
  }
  await server.importLines(
    {
      ...member,
      id: memberId,
      email,
      legalFirstName: repeatText('Maximiliana', 100),
      legalLastName: buildUnbroken(100),
      legalPhone: '+351 912 345 678 ext. 123456789012345',
    },
    {
      ...member,
      id: `m-rtl-${word}`,
      email: `rtl-${word}@example.com`,
      legalFirstName: repeatText('عبد', 90),
      legalLastName: repeatText('الرحمن', 90),
    },
    { ...member, id: `m-ban-${word}`, email: `ban-${word}@example.com`, legalFirstName: 'Ana', legalLastName: word },
    { type: 'wallet', memberId, address: wallet, createdAt: now },
    ...(['deposit', 'withdrawal'] as const).map((kind) => ({
      type: 'transaction',
      id: `t-${kind}-${word}`.padEnd(64, '0'),
      memberId,
      kind,
      amount: money,
      status: 'completed',
      createdAt: now,
    })),
    {
      type: 'chainTransaction',
      transactionHash: buildHex(word, 64),
      logIndex: 1,
      walletAddress: wallet,
      transactionType: 'withdrawal',
      tokenAddress,
      tokenSymbol: buildUnbroken(32),
      projectName: repeatText('Genossenschaft', 200),
      amount: units,
      status: 'completed',
      createdAt: now,
    },
    {
      type: 'fraction',
      id: `f-${word}`,
      memberId,
      projectName: repeatText('Genossenschaft', 200),
      amount: units,
      tokenAddress,
      receivedAt: now,
    },
    {
      type: 'token',
      kind: 'earning',
      contractAddress: tokenAddress,
      projectName: repeatText('Genossenschaft', 100),
      projectLink: 'https://example.com',
      tokenSymbol: buildUnbroken(32),
      decimals: 18,
      logo: '🌍',
    },
    { ...order, orderNumber, memberId, projectName: repeatText('Genossenschaft', 200) },
    { ...order, orderNumber: paidNumber, memberId, projectName: repeatText('Genossenschaft', 200) },
    { ...order, orderNumber: `ORD-RTL-${word}`, memberId: `m-rtl-${word}`, projectName: repeatText('مشروع', 200) },
    {
      ...buildSubmission(memberId),
      submittedAt: now,
      step2: {
        dateOfBirth: '1991-03-14',
        nationality: repeatText('Nordmazedonien', 60),
        countryOfResidence: buildUnbroken(60),
      },
    },
    { ...buildSubmission(`m-rtl-${word}`), submittedAt: now },
  )
  await operator.post(`/api/users/m-ban-${word}/ban`, { data: { reason: repeatText('Rückbelastung', 400) } })
  await server.sql(
    `WITH event AS (
       INSERT INTO security_events (severity, event_type, description, ip_address)
       VALUES ('critical', 'document_token_refused', $2, '2001:0db8:85a3:0000:0000:8a2e:0370:7334')
     ), told AS (
       INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
       VALUES ('member.banned', 'member', $1, 1, '{}') RETURNING *
     )
     INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id, tries,
       next_try_at)
     SELECT 'platform', 'out', 1, id, event_id, type, entity_type, entity_id, 3, now() + interval '9 days' FROM told`,
    [memberId, repeatText('Verbindungsabbruch', 300)],
  )
  await server.sql(insertTriesSql, buildFailedTry(memberId, repeatText('Verbindungsabbruch', 300)))
  const findOrder = async (number: string) =>
    (await server.sql<{ id: string }>('SELECT id::text FROM orders WHERE order_number = $1', [number]))[0]!.id
  const paidOrderId = await findOrder(paidNumber)
  await payOrder(operator, paidOrderId, word)
  return { memberId, email, orderId: await findOrder(orderNumber), orderNumber, paidOrderId }
}

/** Pays an order in two allocations by others than its member, and undoes the first. */
async function payOrder(operator: APIRequestContext, orderId: string, word: string) {
  const account = await addBankAccount(operator, { name: repeatText('Sammelkonto', 100) })
  // The widest state beside the widest amount.
  const announced = { payer: buildUnbroken(140), amount: '98765432109876.54', text: `${word} for information` }
  await importPayment(operator, account, { ...announced, status: 'INFO' })
  for (const [payer, amount] of [
    [buildUnbroken(140), '98765432109876.54'],
    [repeatText('Erbengemeinschaft', 140), '10000000000000.01'],
  ] as const) {
    const line = await importPayment(operator, account, { payer, amount, text: `${word} from ${payer}` })
    const allocations = [{ purpose: 'order' as const, orderId, amount }]
    const [allocation] = await applyAllocations(operator, line, allocations, repeatText('Rechtsnachfolge', 400))
    if (payer.includes(' ')) continue
    const reply = await operator.post(`/api/bank/allocations/${allocation!.id}/undo`, {
      data: { reason: repeatText('Irrtum', 400) },
    })
    if (!reply.ok()) throw new Error(await reply.text())
  }
}
