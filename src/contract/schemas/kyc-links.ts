import * as z from 'zod/mini'
import { linkFacts } from '#contract/kyc-links.ts'
import { documentKinds } from '#contract/kyc.ts'
import { Timestamp } from './common.ts'
import { KycStatus, MemberRef } from './kyc.ts'

const DocumentKind = z.enum(documentKinds)

/** Another member, and their outcome. */
const LinkedMember = z.object({
  member: MemberRef,
  kycStatus: z.nullable(KycStatus),
  /** The last decision on their KYC; its reason where they are rejected. */
  decidedAt: z.nullable(Timestamp),
  rejectionReason: z.nullable(z.string()),
  bannedAt: z.nullable(Timestamp),
  /** Which pictures are the same; `isSame` where they are one file, else they look the same. Null for any other fact. */
  picture: z.nullable(z.object({ own: DocumentKind, other: DocumentKind, isSame: z.boolean() })),
})
export type LinkedMember = z.infer<typeof LinkedMember>

/** One fact, with the members whom it holds of: who was banned or rejected first. `total` counts up to 100 of them. */
export const MemberLink = z.object({ fact: z.enum(linkFacts), members: z.array(LinkedMember), total: z.int() })
export type MemberLink = z.infer<typeof MemberLink>
