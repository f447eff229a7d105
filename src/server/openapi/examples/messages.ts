import { type EventData, platformEvents, type PlatformEventType } from '#contract/schemas/platform-events.ts'
import type { KycCase } from '#server/adapters/kyc-provider.ts'
import { at, contract, email, later, memberId, orderNumber } from './samples.ts'

const member = { memberId, membershipId: 'MB-00000018' }
const kyc = { ...member, attemptNumber: 1 }
const order = { orderNumber, memberId, at: later }
const refund = { ...order, refundId: '78', amount: '25.00', currency: 'EUR' }
const token = {
  tokenId: '7',
  kind: 'earning',
  logo: '🪙',
  projectName: 'Solar Park',
  projectLink: 'https://solar.example.com',
  contractAddress: contract,
  tokenSymbol: 'SOLAR',
  decimals: 18,
  isActive: true,
} as const
const deposit = {
  memberId,
  walletAddress: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
  fromAddress: '0x28c6c06298d514db089934071355e5743bf21d60',
  kind: 'earning' as const,
  contractAddress: contract,
  tokenSymbol: token.tokenSymbol,
  decimals: token.decimals,
  amount: '250.5',
  amountRaw: '250500000000000000000',
  chainId: 56,
  transactionHash: `0x${'4e'.repeat(32)}`,
  logIndex: 3,
  blockNumber: 74_210_377,
  blockHash: `0x${'b7'.repeat(32)}`,
  at: later,
}

/** The `data` of each event. */
export const eventExamples: { [T in PlatformEventType]: EventData<T> } = {
  'member.banned': { ...member, reason: 'Chargeback fraud' },
  'member.unbanned': member,
  'member.erased': member,
  'kyc.approved': { ...kyc, kycStatus: 'approved' },
  'kyc.rejected': {
    ...kyc,
    kycStatus: 'rejected',
    reason: 'The document has expired. Please upload a valid one.',
    final: false,
  },
  'kyc.reset': { ...kyc, kycStatus: 'pending' },
  'order.paid': { ...order, status: 'paid', notes: 'Bank reference 8841' },
  'order.payment_received': {
    ...order,
    received: '500.00',
    outstanding: '1000.00',
    currency: 'EUR',
    bookedOn: '2026-01-05',
  },
  'order.payment_reversed': {
    ...order,
    status: 'waiting_payment',
    received: '0.00',
    outstanding: '1500.00',
    currency: 'EUR',
    reason: 'The bank took it back',
  },
  'order.refund_due': { ...refund, outstanding: '25.00', cause: 'overpaid' },
  'order.refund_paid': { ...refund, outstanding: '0.00', bookedOn: '2026-01-06' },
  'order.refund_withdrawn': { ...refund, reason: 'The member pays another order with it' },
  'order.cancelled': { ...order, status: 'cancelled', notes: 'The member asked for it' },
  'order.expired': { ...order, status: 'expired' },
  'token.created': token,
  'token.updated': { ...token, isActive: false },
  'deposit.confirmed': deposit,
  'deposit.dropped': { ...deposit, wasConfirmed: true },
  'endpoint.test': { endpoint: 'Billing' },
}

const ids = {
  member: memberId,
  order: orderNumber,
  token: `earning/${contract}`,
  deposit: `${deposit.transactionHash}/${deposit.logIndex}`,
  endpoint: '3',
}

/** An event in the form in which it is sent. */
export function eventExample(type: PlatformEventType) {
  const { entity } = platformEvents[type]
  return {
    type,
    timestamp: at,
    entity: { type: entity, id: ids[entity] },
    sequence: 3,
    version: 5,
    data: { ...eventExamples[type] },
  }
}

/** A case in the form in which it is sent. */
export const caseExample: KycCase & { type: 'kyc.submitted' } = {
  type: 'kyc.submitted',
  caseId: 'case_5c1f0d8a7c29b344',
  userId: memberId,
  attemptNumber: 1,
  submittedAt: at,
  email,
  legalFirstName: 'Ana',
  legalLastName: 'Lima',
  dateOfBirth: '1991-03-14',
  nationality: 'PT',
  countryOfResidence: 'ES',
  documentType: 'passport',
}
