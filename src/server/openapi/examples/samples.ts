import type { Order } from '#contract/schemas/orders.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import type { User } from '#contract/schemas/users.ts'

/** The subjects of the examples: one member, one order, one token. */
export const memberId = 'm-1001'
export const orderNumber = 'ORD-1042'
export const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
export const contract = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
export const hash = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'
export const at = '2026-01-05T09:00:00.000Z'
export const later = '2026-01-05T09:12:30.000Z'
export const page = { total: 1, page: 1, limit: 50 }

export const who = {
  id: memberId,
  email: 'ana.lima@example.com',
  legalFirstName: 'Ana',
  legalLastName: 'Lima',
  kycBanned: false,
  bannedReason: null,
}

export const user: User = {
  ...who,
  legalPhone: '+351 912 345 678',
  membershipId: 'MB-00000018',
  kycStatus: 'approved',
  kycCompleted: true,
  kycCurrentStep: 4,
  kycDocumentType: 'passport',
  kycSubmissionCount: 1,
  kycFrontDocumentUrl: 'doc_3f9a2c',
  kycBackDocumentUrl: null,
  kycSelfieUrl: 'doc_7b1e40',
  erasedAt: null,
  createdAt: at,
  version: 3,
}

export const bank = {
  bankName: 'Meridian Bank',
  accountHolder: 'Solar Park Ltd',
  accountNumber: '0012345',
  iban: 'PT50 0002 0123 1234 5678 9015 4',
  swift: 'MERIPTPL',
  paymentInstructions: 'Give the order number as the reference.',
}

export const order: Order = {
  id: '42',
  orderNumber,
  userId: memberId,
  userFirstName: 'Ana',
  userLastName: 'Lima',
  userEmail: who.email,
  userMembershipId: user.membershipId,
  userBanned: false,
  userBannedReason: null,
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
  paidVia: 'hand',
  statusChangedBy: 'ada',
  statusChangedAt: later,
  version: 2,
}

export const token: Token = {
  id: '7',
  logo: '🪙',
  projectName: 'Solar Park',
  projectLink: 'https://solar.example.com',
  contractAddress: contract,
  tokenSymbol: 'SOLAR',
  decimals: 18,
  isActive: true,
  createdAt: at,
  version: 1,
  chain: { hasCode: true, name: 'Solar Park', symbol: 'SOLAR', decimals: 18, checkedAt: later },
}
