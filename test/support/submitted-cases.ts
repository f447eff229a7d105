import { makeAttempt, makeMember } from './make.ts'
import type { TestServer } from './server.ts'

/** Cases that wait for a KYC provider's result, and what has become of them. */
export function createSubmittedCases(server: TestServer) {
  /** A member who submitted the first attempt an hour ago, or at `at`. Returns the member's id. */
  async function makeSubmitted(at = new Date(Date.now() - 3_600_000).toISOString()) {
    const { id } = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
    await makeAttempt(server, id, { at })
    return id
  }
  async function readDecision(id: string) {
    const [row] = await server.sql(
      `SELECT kyc_status, v.status, provider_result, provider_reason, rejection_reason, admin_notes, auto_processed
       FROM members m JOIN kyc_verifications v ON v.member_id = m.id
         JOIN kyc_submissions s ON s.member_id = m.id AND s.attempt_number = v.attempt_number
       WHERE m.id = $1 ORDER BY v.attempt_number`,
      [id],
    )
    return row!
  }
  return { makeSubmitted, readDecision }
}
