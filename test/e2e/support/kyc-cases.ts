import type { Page } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { importMember, findMemberWithDocuments, buildSubmission, type ImportedMember } from './members.ts'

/** A member whose attempt waits for a decision, and the id of its verification. */
export async function importCase(
  server: ConsoleServer,
  given: Parameters<typeof importMember>[1] = {},
): Promise<ImportedMember & { verification: string }> {
  const member = await importMember(server, given)
  await server.importLines(buildSubmission(member.id))
  return { ...member, verification: await findVerification(server, member.id) }
}

async function findVerification(server: ConsoleServer, memberId: string) {
  const [found] = await server.sql<{ id: string }>(
    `SELECT id::text FROM kyc_verifications WHERE member_id = $1 ORDER BY id DESC LIMIT 1`,
    [memberId],
  )
  if (!found) throw new Error(`${memberId} has no verification`)
  return found.id
}

/** A waiting case of the demo platform with all three documents. */
export async function findCaseWithDocuments(server: ConsoleServer): Promise<ImportedMember> {
  const { id } = await findMemberWithDocuments(server)
  const [member] = await server.sql<{ email: string; name: string }>(
    `SELECT email, concat_ws(' ', legal_first_name, legal_last_name) AS name FROM members WHERE id = $1`,
    [id],
  )
  return { id, email: member!.email, name: member!.name }
}

export const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('table')
export const dialog = (page: Page) => page.getByRole('dialog')

/** Approves in an open dialog, where no document is on screen: the second press counts after a second. */
export async function approveAnyway(page: Page) {
  await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Approve anyway' }).click()
}

/** A waiting case of the demo platform with a document and without a selfie. */
export async function findCaseWithoutSelfie(server: ConsoleServer) {
  const [row] = await server.sql<{ id: string; email: string }>(
    `SELECT v.id::text, m.email FROM kyc_verifications v JOIN members m ON m.id = v.member_id
       JOIN kyc_step3 USING (member_id, attempt_number) LEFT JOIN kyc_step4 four USING (member_id, attempt_number)
     WHERE v.status = 'pending' AND four.id IS NULL ORDER BY v.submitted_at DESC LIMIT 1`,
  )
  return row!
}

/** A case of the demo platform with front, back, selfie and an earlier attempt. */
export async function findResubmittedCase(server: ConsoleServer) {
  const [row] = await server.sql<{ id: string; memberId: string }>(
    `SELECT v.id::text, v.member_id AS "memberId" FROM kyc_verifications v
       JOIN kyc_step3 three USING (member_id, attempt_number) JOIN kyc_step4 USING (member_id, attempt_number)
     WHERE v.status = 'pending' AND v.attempt_number > 1 AND three.back_document IS NOT NULL
     ORDER BY v.submitted_at DESC LIMIT 1`,
  )
  return row!
}

/** Each test's cases are older than all earlier ones, so that review mode opens them first. */
let year = 2020
export async function importCases(server: ConsoleServer, count: number) {
  year -= 1
  const members: (ImportedMember & { verification: string })[] = []
  for (let month = 1; month <= count; month += 1) {
    const member = await importMember(server, { legalPhone: '+351 912 345 678' })
    await server.importLines({ ...buildSubmission(member.id), submittedAt: `${year}-0${month}-01T10:00:00Z` })
    const [row] = await server.sql<{ id: string }>('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [
      member.id,
    ])
    members.push({ ...member, verification: row!.id })
  }
  return members as [(typeof members)[0], ...typeof members]
}

/** The name of the open case, once its keys count: they are ignored while it is being opened. */
export const caseName = (page: Page) =>
  page
    .getByRole('region', { name: 'KYC review' })
    .and(page.locator('[aria-busy=false]'))
    .getByRole('heading', { level: 2 })
    .first()
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const reason = (page: Page) => page.getByLabel('Rejection reason')
export const readVerification = async (server: ConsoleServer, id: string) =>
  (
    await server.sql<{ status: string; reason: string | null; by: string | null }>(
      'SELECT status, rejection_reason AS reason, decided_by AS by FROM kyc_verifications WHERE id = $1',
      [id],
    )
  )[0]
