import type { PlatformMember, PlatformOrder } from '#contract/schemas/platform-api.ts'
import type { ImportLine } from '#contract/schemas/platform.ts'
import type { ExamplesOf } from './example-types.ts'
import { importExample } from './bank.ts'
import { eventExample } from './messages.ts'
import { at, bank, contract, later, memberId as id, orderNumber, user, wallet } from './samples.ts'

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
  email: user.email,
  legalFirstName: 'Ana',
  legalLastName: 'Lima',
  legalPhone: user.legalPhone,
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
  { type: 'member', id, email: user.email, legalFirstName: 'Ana', legalLastName: 'Lima', createdAt: at },
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

export const platform: ExamplesOf<'platform'> = {
  saveMember: {
    params: { id },
    body: { email: user.email, legalFirstName: 'Ana', legalLastName: 'Lima', legalPhone: '+351 912 345 678' },
    reply: createdFirst,
  },
  member: {
    params: { id },
    reply: member,
  },
  eraseMember: { params: { id }, reply: { outcome: 'erased', erasedAt: at } },
  members: { query: { limit: '500', updatedSince: at }, reply: { members: [member], next } },
  memberWallets: {
    params: { id },
    query: { limit: '500' },
    reply: { wallets: [{ address: wallet, createdAt: at }], next: null },
  },
  saveWallet: { params: { id, address: wallet }, body: {}, reply: created },
  saveDocument: { params: { id, kind: 'front' }, reply: { documentPath: 'doc_3f9a2c' } },
  saveKyc: {
    params: { id, attempt: '1' },
    body: {
      step2: { dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' },
      step3: { documentType: 'passport', frontDocumentPath: 'doc_3f9a2c' },
      step4: { selfiePath: 'doc_7b1e40' },
      submit: true,
    },
    reply: created,
  },
  saveOrder: {
    params: { orderNumber },
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
  order: { params: { orderNumber }, reply: waiting },
  orders: {
    query: { limit: '500' },
    reply: { orders: [waiting, { ...paid, orderNumber: 'ORD-1041', paymentReference: 'RF66ORD1041' }], next },
  },
  events: {
    query: { limit: '500' },
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
  testEvents: {
    body: { endpoint: 'Billing' },
    reply: { events: [{ id: '0d8a7c5e-9d3f-4b47-8a3e-2f6f1c0f7b11', endpoint: 'Billing' }] },
  },
  completeOrder: {
    body: {},
    params: { orderNumber },
    reply: { ...paid, status: 'completed', completedAt: '2026-01-05T10:00:00.000Z' },
  },
  saveTransaction: {
    params: { id, transactionId: 't-1' },
    body: { type: 'deposit', amount: '250.00', status: 'completed', createdAt: '2026-01-05T09:00:00Z' },
    reply: created,
  },
  saveFraction: {
    params: { id, fractionId: 'f-1' },
    body: { projectName: 'Solar Park', amount: '12.5', tokenAddress: contract, receivedAt: '2026-01-05T09:00:00Z' },
    reply: created,
  },
  saveToken: {
    params: { kind: 'earning', contractAddress: contract },
    body: { projectName: 'Solar Park', tokenSymbol: 'SOLAR', decimals: 18, projectLink: 'https://solar.example.com' },
    reply: createdFirst,
  },
  import: {
    query: { batch: 'move-in-1' },
    rawBody: importedLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    reply: {
      accepted: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 1,
      errors: [{ line: 2, code: 'invalid', message: 'address: does not match its EIP-55 checksum' }],
    },
  },
  bankStatements: {
    ...importExample,
    reply: { ...importExample.reply, import: { ...importExample.reply.import, importedBy: 'platform:bank-files' } },
  },
  kycResults: {
    rawBody: {
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
