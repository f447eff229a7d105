import type { Page } from '@playwright/test'
import { expect, expectLive, expectToast, test } from './support/harness.ts'
import { approveAnyway, importCase } from './support/kyc-cases.ts'
import { importMember, findMemberWithDocuments, buildSubmission } from './support/members.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('table')
const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
const dialog = (page: Page) => page.getByRole('dialog')
const header = (page: Page) => page.getByRole('main')

test('approving completes KYC and assigns a membership id (product 7.1)', async ({ page, server }) => {
  const member = await importMember(server)
  await server.importLines(buildSubmission(member.id))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await expect(fact(page, 'Status')).toHaveText('Under Review')
  await expect(fact(page, 'Current step')).toHaveText('2 of 4, Personal Info')
  await expect(fact(page, 'Submission count')).toHaveText('1')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(page)).toHaveAccessibleName(`Approve KYC of ${member.name}?`)
  await dialog(page).getByLabel('Admin notes').fill('Checked by phone')
  const sent = page.waitForRequest(`**/api/users/${member.id}/kyc/approve`)
  await approveAnyway(page)
  expect((await sent).headers()['if-match']).toMatch(/^"\d+"$/)
  await expectToast(page, 'KYC Status Updated')
  await expect(fact(page, 'Status')).toHaveText('Verified')
  await expect(fact(page, 'Admin notes')).toHaveText('Checked by phone')
  await expect(header(page).getByText('KYC Completed')).toBeVisible()
  for (const name of ['Approve', 'Reject', 'Reset'])
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  await tab(page, 'Profile').click()
  await expect(fact(page, 'Membership id')).toHaveText(/^MB-\d{8}$/)
})

test('the dialog names the member and who has the case in review mode', async ({ page, server, operator }) => {
  const one = await importCase(server, { legalFirstName: 'Anna', legalLastName: 'Schmidt' })
  const claimed = await operator.post(`/api/kyc/cases/${one.verification}/claim`)
  expect(claimed.ok()).toBe(true)
  await page.goto(`/users/${one.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(page)).toContainText('joan has this case open in review mode.')
  await expect(dialog(page)).toContainText(one.email)
  // What happens before the page follows is not news to it.
  await expectLive(page)
  expect((await operator.post(`/api/kyc/cases/${one.verification}/release`)).ok()).toBe(true)
  await expect(dialog(page)).not.toContainText('joan has this case open')
})

test('an open dialog says who has decided the case meanwhile, and keeps what was typed (product 7.1)', async ({
  page,
  server,
  operator,
}) => {
  const one = await importCase(server)
  expect((await operator.post(`/api/kyc/cases/${one.verification}/claim`)).ok()).toBe(true)
  await page.goto(`/users/${one.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Rejection reason').fill('Blurred')
  await expect(dialog(page)).toContainText('joan has this case open in review mode.')
  await expectLive(page)
  const data = { action: 'approve' }
  expect((await operator.post(`/api/kyc/verifications/${one.verification}/review`, { data })).ok()).toBe(true)
  await expect(dialog(page).getByRole('alert')).toHaveText('joan has approved this case meanwhile.')
  await expect(dialog(page)).not.toContainText('joan has this case open')
  await expect(dialog(page).getByLabel('Rejection reason')).toHaveValue('Blurred')
  await expect(dialog(page).getByRole('button', { name: 'Reject' })).toBeEnabled()
})

test('a name of characters that nobody sees is shown as the e-mail', async ({ page, server }) => {
  const { id, email } = await importMember(server)
  // A call refuses such a name; rows from before may hold one.
  const names = ['\u200B', '\u2060', id]
  await server.sql('UPDATE members SET legal_first_name = $1, legal_last_name = $2 WHERE id = $3', names)
  await page.goto(`/users?search=${id}`)
  await expect(page.getByRole('link', { name: `View ${email}` })).toBeVisible()
})

test('rejecting needs a reason, and the button stays disabled while it is empty (product 9.5)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  await server.importLines(buildSubmission(member.id))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reject' }).click()
  const reason = dialog(page).getByLabel('Rejection reason')
  const reject = dialog(page).getByRole('button', { name: 'Reject' })
  await expect(reason).toHaveAccessibleDescription('Rejection reason is required')
  await expect(reject).toBeDisabled()
  await reason.fill('  ')
  await expect(dialog(page).getByRole('alert')).toHaveText('Rejection reason is required')
  await expect(reject).toBeDisabled()
  await reason.fill('Identity back is blurred')
  const sent = page.waitForRequest(`**/api/users/${member.id}/kyc/reject`)
  await reject.click()
  expect((await sent).postDataJSON()).toMatchObject({ rejectionReason: 'Identity back is blurred' })
  await expectToast(page, 'KYC Status Updated')
  await expect(fact(page, 'Status')).toHaveText('Rejected')
  await expect(fact(page, 'Rejection reason')).toContainText('Identity back is blurred')
  await tab(page, 'KYC History').click()
  await expect(table(page, 'Submission history')).toContainText('Rejected')
})

test('reset returns the member to Pending after saying what that means (product 7.1)', async ({ page, server }) => {
  const member = await importMember(server)
  await server.importLines(buildSubmission(member.id, { result: 'rejected', reason: 'Blurred' }))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog(page)).toContainText('goes back to Pending, step 1')
  await dialog(page).getByRole('button', { name: 'Reset' }).click()
  await expectToast(page, 'KYC Status Updated')
  await expect(fact(page, 'Status')).toHaveText('Pending')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Step 1 of 4')
})

test('KYC History: four steps, the fourth complete from step 4 on, and every attempt (product 5.4)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}?tab=history`)
  await expect(page.getByText('No history found')).toHaveCount(4)
  await server.importLines(buildSubmission(member.id))
  await page.reload()
  const steps = page.getByRole('main').getByRole('list').getByRole('listitem')
  await expect(steps).toHaveText([
    '1 Profile SetupComplete',
    '2 Personal InfoComplete',
    '3 Document UploadComplete',
    '4 Selfie VerificationNot complete',
  ])
  await expect(table(page, 'Step 2: Personal Info').getByRole('row').nth(1).getByRole('cell')).toHaveText(
    ['1', 'Mar 14, 1991', 'Portugal', 'Spain', 'Submitted', 'Feb 01, 2026 at 10:00'],
    { useInnerText: true },
  )
  await expect(page.getByText('No history found')).toHaveCount(2)
  await expect(table(page, 'Submission history').getByRole('row').nth(1)).toContainText('Under Review')

  const whole = await findMemberWithDocuments(server)
  await page.goto(`/users/${whole.id}?tab=history`)
  await expect(steps.nth(3)).toHaveText('4 Selfie VerificationComplete')
  await page
    .getByRole('button', { name: /^View Selfie, attempt/ })
    .first()
    .click()
  await expect(page.getByRole('img', { name: /^Selfie, attempt \d+ of / })).toBeVisible()
})
