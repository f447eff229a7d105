import { members } from '#server/db/tables/users.ts'

/** A member as SPEC's "User" names it; the contract's `User` is the same list. */
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
  createdAt: members.createdAt,
  version: members.version,
}
