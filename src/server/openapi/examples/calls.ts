import type { PlatformMember, PlatformOrder } from '#contract/schemas/platform-api.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import type { Json, Scalar } from '#server/openapi/types.ts'
import { eventExample } from './messages.ts'
import { at, bank, contract, email, later, memberId as id, orderNumber, phone, wallet } from './samples.ts'

const created = { outcome: 'created' } as const
const createdFirst = { outcome: 'created', version: 1 } as const
const step2 = { dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' }
const step3 = { documentType: 'passport', frontDocumentPath: 'doc_3f9a2c', backDocumentPath: null }
const step4 = { selfiePath: 'doc_7b1e40' }
const next = 'bWVtYmVycyAxZjNhOWMwZSA4ODQyIG0tMTAwMQ'
const paid: PlatformOrder = {
  orderNumber,
  memberId: id,
  projectId: 'p-7',
  projectName: 'Solar Park',
  investmentAmount: '1500.00',
  currency: 'EUR',
  status: 'paid',
  notes: 'Bank reference 8841',
  expiresAt: '2026-01-12T09:00:00.000Z',
  createdAt: at,
  paidAt: later,
  completedAt: null,
  ...bank,
  paymentReference: 'RF39ORD1042',
  received: '0.00',
  epcPayload: null,
  statusChangedAt: later,
  version: 2,
}
/** Part of its amount has come. */
const waiting: PlatformOrder = {
  ...paid,
  status: 'waiting_payment',
  notes: null,
  paidAt: null,
  received: '500.00',
  epcPayload: `BCD\n002\n1\nSCT\nMERIPTPL\nSolar Park Ltd\nPT50000201231234567890154\nEUR1000.00\n\n${paid.paymentReference}`,
  statusChangedAt: null,
}

const member: PlatformMember = {
  id,
  email,
  legalFirstName: 'Ana',
  legalLastName: 'Lima',
  legalPhone: phone,
  membershipId: null,
  banned: false,
  bannedReason: null,
  kyc: {
    status: 'under_review',
    currentStep: 4,
    rejectionReason: null,
    final: false,
    decidedAt: null,
    nextAttempt: 2,
    attempts: [
      { attempt: 1, result: 'under_review', caseId: 'case_5c1f0d8a7c29b344', submittedAt: at, step2, step3, step4 },
    ],
    draft: null,
  },
  wallets: [wallet],
  walletCount: 1,
  erasedAt: null,
  createdAt: at,
  version: 2,
}

/** An import as it is sent, line by line. */
export const importedLines: ImportLine[] = [
  { type: 'member', id, email, legalFirstName: 'Ana', legalLastName: 'Lima', createdAt: at },
  { type: 'wallet', memberId: id, address: wallet },
  {
    type: 'transaction',
    id: 't-1',
    memberId: id,
    kind: 'deposit',
    amount: '250.00',
    status: 'completed',
    createdAt: at,
  },
]

const statementFile = {
  query: { fileName: '2026-01-05.sta' },
  body: ':20:X\n:25:DE89370400440532013000\n:60F:C260105EUR100,00\n:61:260105C1500,00NTRF\n:62F:C260105EUR1600,00',
}

/** A call and its answer. `query` are the parameters that it shows; those of the path are composed. */
interface CallExample {
  query?: Record<string, Scalar>
  body?: Json
  reply?: Json
}

/** Examples made by hand, for those who connect a platform. The rest is composed from the schemas. */
export const callExamples: Partial<Record<CallName, CallExample>> = {
  'platform.saveMember': {
    body: { email, legalFirstName: 'Ana', legalLastName: 'Lima', legalPhone: phone },
    reply: createdFirst,
  },
  'platform.member': { reply: member },
  'platform.eraseMember': { reply: { outcome: 'erased', erasedAt: at } },
  'platform.members': { query: { limit: 500, updatedSince: at }, reply: { members: [member], next } },
  'platform.memberWallets': {
    query: { limit: 500 },
    reply: { wallets: [{ address: wallet, createdAt: at }], next: null },
  },
  'platform.saveWallet': { body: {}, reply: created },
  'platform.saveDocument': { reply: { documentPath: 'doc_3f9a2c' } },
  'platform.saveKyc': { body: { step2, step3, step4, submit: true }, reply: created },
  'platform.saveOrder': {
    body: {
      memberId: id,
      projectId: 'p-7',
      projectName: 'Solar Park',
      investmentAmount: '1500.00',
      currency: 'EUR',
      expiresAt: '2026-01-12T09:00:00Z',
      ...bank,
      createdAt: '2026-01-05T09:00:00Z',
    },
    reply: createdFirst,
  },
  'platform.order': { reply: waiting },
  'platform.orders': {
    query: { limit: 500 },
    reply: { orders: [waiting, { ...paid, orderNumber: 'ORD-1041', paymentReference: 'RF66ORD1041' }], next },
  },
  'platform.events': {
    query: { limit: 500 },
    reply: {
      events: [
        {
          id: '0d8a7c29-5c1f-4b3e-9a40-7b1e403f9a2c',
          ...eventExample('order.paid'),
          delivery: { state: 'delivered', deliveredAt: later },
        },
      ],
      next,
    },
  },
  'platform.testEvents': {
    body: { endpoint: 'Billing' },
    reply: { events: [{ id: '0d8a7c5e-9d3f-4b47-8a3e-2f6f1c0f7b11', endpoint: 'Billing' }] },
  },
  'platform.completeOrder': {
    body: {},
    reply: { ...paid, status: 'completed', completedAt: '2026-01-05T10:00:00.000Z' },
  },
  'platform.saveTransaction': {
    body: { type: 'deposit', amount: '250.00', status: 'completed', createdAt: '2026-01-05T09:00:00Z' },
    reply: created,
  },
  'platform.saveFraction': {
    body: { projectName: 'Solar Park', amount: '12.5', tokenAddress: contract, receivedAt: '2026-01-05T09:00:00Z' },
    reply: created,
  },
  'platform.saveToken': {
    body: { projectName: 'Solar Park', tokenSymbol: 'SOLAR', decimals: 18, projectLink: 'https://solar.example.com' },
    reply: createdFirst,
  },
  'platform.import': {
    query: { batch: 'move-in-1' },
    body: importedLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    reply: {
      accepted: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 1,
      errors: [{ line: 2, code: 'invalid', message: 'address: does not match its EIP-55 checksum' }],
    },
  },
  'platform.bankStatements': statementFile,
  'bank.import': statementFile,
  'bulk.prepare': { body: { action: 'ban_users', filter: { kycBanned: 'false', search: 'lee' } } },
  'platform.kycResults': {
    body: {
      caseId: 'case_5c1f0d8a7c29b344',
      userId: id,
      attemptNumber: 1,
      result: 'approved',
      kycScore: 92,
      autoProcessed: true,
    },
    reply: { outcome: 'applied', note: 'The member is approved' },
  },
}
