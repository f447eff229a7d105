import { and, eq } from 'drizzle-orm'
import type { KycCase } from '#server/adapters/kyc-provider.ts'
import type { Ctx } from '#server/context.ts'
import { kycStep2, kycStep3, kycSubmissions } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/users.ts'
import { notFound } from '#server/errors.ts'

const ofAttempt = (table: typeof kycStep2 | typeof kycStep3) =>
  and(eq(table.memberId, kycSubmissions.memberId), eq(table.attemptNumber, kycSubmissions.attemptNumber))

/** What the provider is told of a submitted attempt, as it stands now. */
export async function readCase(
  { database: { db } }: Ctx,
  { memberId, attemptNumber }: { memberId: string; attemptNumber: number },
): Promise<KycCase> {
  const [found] = await db
    .select({
      caseId: kycSubmissions.caseId,
      userId: members.id,
      attemptNumber: kycSubmissions.attemptNumber,
      submittedAt: kycSubmissions.submittedAt,
      email: members.email,
      legalFirstName: members.legalFirstName,
      legalLastName: members.legalLastName,
      dateOfBirth: kycStep2.dateOfBirth,
      nationality: kycStep2.nationality,
      countryOfResidence: kycStep2.countryOfResidence,
      documentType: kycStep3.documentType,
    })
    .from(kycSubmissions)
    .innerJoin(members, eq(members.id, kycSubmissions.memberId))
    .leftJoin(kycStep2, ofAttempt(kycStep2))
    .leftJoin(kycStep3, ofAttempt(kycStep3))
    .where(and(eq(kycSubmissions.memberId, memberId), eq(kycSubmissions.attemptNumber, attemptNumber)))
  if (!found) throw notFound('KYC submission')
  return found
}
