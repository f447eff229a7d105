import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/users.ts'

/** The fields of an order (product 6.5). */
export const orderColumns = {
  id: orders.id,
  orderNumber: orders.orderNumber,
  userId: orders.memberId,
  projectId: orders.projectId,
  projectName: orders.projectName,
  investmentAmount: orders.investmentAmount,
  currency: orders.currency,
  status: orders.status,
  notes: orders.notes,
  expiresAt: orders.expiresAt,
  createdAt: orders.createdAt,
  paidAt: orders.paidAt,
  completedAt: orders.completedAt,
  bankName: orders.bankName,
  accountHolder: orders.accountHolder,
  accountNumber: orders.accountNumber,
  iban: orders.iban,
  swift: orders.swift,
  paymentInstructions: orders.paymentInstructions,
  statusChangedBy: orders.statusChangedBy,
  statusChangedAt: orders.statusChangedAt,
  version: orders.version,
}

/** What it says of its member, as the member is now. */
export const orderUserColumns = {
  userFirstName: members.legalFirstName,
  userLastName: members.legalLastName,
  userEmail: members.email,
  userMembershipId: members.membershipId,
  userBanned: members.banned,
  userBannedReason: members.bannedReason,
}
