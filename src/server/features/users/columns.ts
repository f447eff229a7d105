import { members } from '#server/db/tables/users.ts'

/** The member of a row in another list. */
export const memberRefColumns = {
  id: members.id,
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
  kycBanned: members.banned,
  bannedReason: members.bannedReason,
}

/** The fields of a member (product 6.2), the same as the contract's `User`. */
export const userColumns = {
  id: members.id,
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
  legalPhone: members.legalPhone,
  membershipId: members.membershipId,
  kycStatus: members.kycStatus,
  kycBanned: members.banned,
  bannedReason: members.bannedReason,
  kycCompleted: members.kycCompleted,
  kycCurrentStep: members.kycCurrentStep,
  kycDocumentType: members.kycDocumentType,
  kycSubmissionCount: members.kycSubmissionCount,
  kycFrontDocumentUrl: members.kycFrontDocument,
  kycBackDocumentUrl: members.kycBackDocument,
  kycSelfieUrl: members.kycSelfie,
  erasedAt: members.erasedAt,
  createdAt: members.createdAt,
  version: members.version,
}
