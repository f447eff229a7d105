import type { Page } from '@playwright/test'
import { expect, expectToast, test } from './harness.ts'
import { bringMember, memberWithDocuments, submission } from './members.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('table')
const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
const dialog = (page: Page) => page.getByRole('dialog')
const header = (page: Page) => page.getByRole('main')

test('SPEC 4: approving completes KYC and assigns a membership id; then nothing is left to decide', async ({
  page,
  server,
}) => {
  const member = await bringMember(server)
  await server.bring(submission(member.id))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await expect(fact(page, 'Status')).toHaveText('Under Review')
  await expect(fact(page, 'Current step')).toHaveText('2 of 4, Personal Info')
  await expect(fact(page, 'Submission count')).toHaveText('1')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(page)).toHaveAccessibleName(`Approve KYC of ${member.name}?`)
  await dialog(page).getByLabel('Admin notes').fill('Checked by phone')
  const sent = page.waitForRequest(`**/api/users/${member.id}/kyc/approve`)
  await dialog(page).getByRole('button', { name: 'Approve' }).click()
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

test('SPEC 5: rejecting needs a reason, and the button stays disabled while it is empty', async ({ page, server }) => {
  const member = await bringMember(server)
  await server.bring(submission(member.id))
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

test('SPEC 4: reset returns the member to Pending after saying what that means', async ({ page, server }) => {
  const member = await bringMember(server)
  await server.bring(submission(member.id, { result: 'rejected', reason: 'Blurred' }))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog(page)).toContainText('goes back to Pending, step 1')
  await dialog(page).getByRole('button', { name: 'Reset' }).click()
  await expectToast(page, 'KYC Status Updated')
  await expect(fact(page, 'Status')).toHaveText('Pending')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Step 1 of 4')
})

test('PRODUCT 3.12, 3.22: the second of two decisions is refused; the text stays and the member can be reloaded', async ({
  page,
  server,
  operator,
}) => {
  const member = await bringMember(server)
  await server.bring(submission(member.id))
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Rejection reason').fill('Blurred')
  await operator.post(`/api/users/${member.id}/kyc/approve`)
  await expect(fact(page, 'Status')).toHaveText('Verified')
  await expect(dialog(page).getByLabel('Rejection reason')).toHaveValue('Blurred')
  await dialog(page).getByRole('button', { name: 'Reject' }).click()
  await expectToast(page, 'Error', 'Failed to update KYC status')
  await expect(dialog(page).getByLabel('Rejection reason')).toHaveAccessibleDescription(/joan/)
  await expect(dialog(page).getByLabel('Rejection reason')).toHaveValue('Blurred')
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText('KYC now stands at Verified and is decided already.')
  await expect(dialog(page).getByRole('button', { name: 'Reject' })).toBeDisabled()
})

test('SPEC 8: a failed decision raises its toast, and the dialog keeps the notes', async ({ page, server }) => {
  const member = await bringMember(server)
  await server.bring(submission(member.id))
  await page.route('**/kyc/approve', (route) =>
    route.fulfill({ status: 503, json: { message: 'The database is away', code: 'unavailable' } }),
  )
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog(page).getByLabel('Admin notes').fill('Checked')
  await dialog(page).getByRole('button', { name: 'Approve' }).click()
  await expectToast(page, 'Error', 'Failed to update KYC status')
  await expect(dialog(page).getByRole('alert')).toHaveText('The database is away')
  await expect(dialog(page).getByLabel('Admin notes')).toHaveValue('Checked')
})

test('SPEC 2, KYC History: four steps, the fourth complete from step 4 on, and every attempt', async ({
  page,
  server,
}) => {
  const member = await bringMember(server)
  await page.goto(`/users/${member.id}?tab=history`)
  await expect(page.getByText('No history found')).toHaveCount(4)
  await server.bring(submission(member.id))
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
  await expect(table(page, 'Step 3: Document Upload')).toContainText('No history found')
  await expect(table(page, 'Step 4: Selfie Verification')).toContainText('No history found')
  await expect(table(page, 'Submission history').getByRole('row').nth(1)).toContainText('Under Review')

  const whole = await memberWithDocuments(server)
  await page.goto(`/users/${whole.id}?tab=history`)
  await expect(steps.nth(3)).toHaveText('4 Selfie VerificationComplete')
  await page
    .getByRole('button', { name: /^View Selfie, attempt/ })
    .first()
    .click()
  await expect(page.getByRole('img', { name: /^Selfie, attempt \d+ of / })).toBeVisible()
})
