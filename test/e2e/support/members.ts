import type { ConsoleServer } from './console-server.ts'
import { paymentDetails } from '#test/support/payment-details.ts'

let importedCount = 0
/** Another one each time, also across workers: a test searches for it and finds only its own members. */
export const newWord = () => `q${process.pid.toString(36)}x${(importedCount += 1).toString(36)}q`

export interface ImportedMember {
  id: string
  name: string
  email: string
}

/** Imports a member with a unique name. */
export async function importMember(
  server: ConsoleServer,
  given: Partial<Record<'email' | 'legalFirstName' | 'legalLastName' | 'legalPhone' | 'createdAt', string>> = {},
): Promise<ImportedMember> {
  const word = newWord()
  const member = { id: `m-${word}`, email: `${word}@example.com`, legalFirstName: 'Ana', legalLastName: word, ...given }
  await server.importLines({ type: 'member', ...member })
  return { id: member.id, name: `${member.legalFirstName} ${member.legalLastName}`, email: member.email }
}

const hex = (word: string, length: number) => `0x${Buffer.from(word).toString('hex').padEnd(length, '0')}`
const minute = (number: number) => `2026-03-01T10:${String(number).padStart(2, '0')}:00Z`

/** A member with a wallet, 12 transactions of each kind and a fraction. */
export async function importInvestor(server: ConsoleServer): Promise<ImportedMember & { wallet: string }> {
  const member = await importMember(server, { legalPhone: '+351 912 345 678', createdAt: '2026-01-05T09:07:00Z' })
  const memberId = member.id
  const wallet = hex(memberId, 40)
  const twelve = Array.from({ length: 12 }, (_, index) => index)
  await server.importLines(
    { type: 'wallet', memberId, address: wallet, createdAt: '2026-01-06T08:00:00Z' },
    ...twelve.map((index) => ({
      type: 'transaction',
      id: `t-${memberId}-${index}`,
      memberId,
      kind: (['deposit', 'withdrawal', 'other'] as const)[index % 3],
      amount: '2500.5',
      status: (['completed', 'pending', 'failed'] as const)[index % 3],
      createdAt: minute(30 - index),
    })),
    ...twelve.map((index) => ({
      type: 'chainTransaction',
      transactionHash: hex(`${memberId}-${index}`, 64),
      logIndex: index,
      walletAddress: wallet,
      transactionType: 'deposit',
      tokenAddress: hex('token', 40),
      tokenSymbol: 'SOLR',
      projectName: 'Solar Park',
      amount: '0.000000000000000425',
      status: 'completed',
      createdAt: minute(30 - index),
    })),
    {
      type: 'fraction',
      id: `f-${memberId}`,
      memberId,
      projectName: 'Olive Groves',
      amount: '12.5',
      tokenAddress: hex('token', 40),
      receivedAt: minute(1),
    },
  )
  return { ...member, wallet }
}

/** An order of the member that waits for payment. */
export const buildWaitingOrder = (memberId: string) => ({
  type: 'order',
  orderNumber: `ORD-${memberId}`,
  memberId,
  projectId: 'p-1',
  projectName: 'Solar Park',
  investmentAmount: '100',
  currency: 'EUR',
  ...paymentDetails,
  expiresAt: '2046-01-05T09:00:00Z',
})

/** An attempt at KYC that waits for a decision, or carries the one the platform made. */
export const buildSubmission = (memberId: string, decision?: Record<string, unknown>, attempt = 1) => ({
  type: 'kyc',
  memberId,
  attempt,
  step2: { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' },
  submit: true,
  submittedAt: '2026-02-01T10:00:00Z',
  ...(decision && { decision: { decidedAt: '2026-02-02T10:00:00Z', ...decision } }),
})

/** A member of the demo platform with all three documents, waiting for review. */
export async function findMemberWithDocuments(server: ConsoleServer): Promise<{ id: string }> {
  const [member] = await server.sql<{ id: string }>(
    `SELECT id FROM members
     WHERE kyc_status = 'under_review' AND NOT banned AND kyc_front_document IS NOT NULL
       AND kyc_back_document IS NOT NULL AND kyc_selfie IS NOT NULL
     ORDER BY id LIMIT 1`,
  )
  if (!member) throw new Error('the demo platform has no member with three documents')
  return member
}
