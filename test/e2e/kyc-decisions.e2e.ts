import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { approveAnyway, importCase, dialog, readVerification, table } from './support/kyc-cases.ts'

const verifications = (page: Page) => table(page, 'Verifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const findRow = (page: Page, list: string, email: string) =>
  table(page, list).getByRole('row').filter({ hasText: email })

test('a submission under review is approved from its tab, with notes (product 7.1)', async ({ page, server }) => {
  const one = await importCase(server)
  await page.goto(`/kyc?search=${one.email}`)
  await button(page, `Approve ${one.name}`).click()
  await expect(dialog(page)).toHaveAccessibleName(`Approve KYC of ${one.name}?`)
  await dialog(page).getByLabel('Admin notes').fill('Checked by phone')
  const sent = page.waitForRequest(`**/api/users/${one.id}/kyc/approve`)
  await approveAnyway(page)
  expect((await sent).headers()['if-match']).toMatch(/^"\d+"$/)
  expect((await sent).postDataJSON()).toEqual({ adminNotes: 'Checked by phone' })
  await expectToast(page, 'KYC Approved Successfully', `${one.name} · MB-`)
  await expect(dialog(page)).toBeHidden()
  await expect(findRow(page, 'KYC submissions', one.email)).toContainText('Verified')
  await expect(button(page, `Approve ${one.name}`)).toBeHidden()
})

test("a verification is approved, and one click can fill a rejection's reason (product 7.1, 9.5)", async ({
  page,
  server,
}) => {
  const one = await importCase(server)
  const other = await importCase(server)
  await page.goto(`/kyc?tab=verifications&search=${one.email}`)
  await button(page, `Approve ${one.name}`).click()
  const approval = page.waitForRequest(`**/api/kyc/verifications/${one.verification}/review`)
  await approveAnyway(page)
  expect((await approval).headers()['if-match']).toMatch(/^"\d+"$/)
  await expectToast(page, 'KYC Approved Successfully')
  await expect(findRow(page, 'Verifications', one.email)).toContainText('by grace')

  await page.goto(`/kyc?tab=verifications&status=pending&search=${other.email}`)
  await button(page, `Reject ${other.name}`).click()
  const reason = dialog(page).getByLabel('Rejection reason')
  const reject = dialog(page).getByRole('button', { name: 'Reject', exact: true })
  await expect(reason).toBeFocused()
  await expect(reason).toHaveAccessibleDescription('Rejection reason is required')
  await expect(reject).toBeDisabled()
  await page.keyboard.press('Alt+2')
  await expect(reason).toHaveValue('The document has expired. Please upload a valid one. ')
  await reason.fill('   ')
  await expect(dialog(page).getByRole('alert')).toHaveText('Rejection reason is required')
  await expect(reject).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Expired' }).click()
  const rejection = page.waitForRequest(`**/api/kyc/verifications/${other.verification}/review`)
  await reject.click()
  expect((await rejection).postDataJSON()).toEqual({
    action: 'reject',
    adminNotes: null,
    rejectionReason: 'The document has expired. Please upload a valid one.',
  })
  await expectToast(page, 'KYC Status Updated', `${other.name} · Rejected`)
  await expect(verifications(page)).toContainText('No data available')
})

test('what a case lacks is named, and offered as the reason (product 5.10)', async ({ page, server }) => {
  const one = await importCase(server)
  for (const tab of ['submissions', 'verifications']) {
    await page.goto(`/kyc?tab=${tab}&search=${one.email}`)
    await button(page, `Approve ${one.name}`).click()
    await expect(dialog(page).getByRole('listitem')).toHaveText([
      'Personal data',
      'Document type missing',
      'Identity front missing',
      'Selfie missing',
    ])
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page).getByRole('alert')).toContainText('Document type, Identity front and Selfie are missing.')
    await expect(dialog(page).getByRole('alert')).toContainText('Press again to approve anyway.')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
  expect(await readVerification(server, one.verification)).toMatchObject({ status: 'pending' })
  await button(page, `Reject ${one.name}`).click()
  await expect(dialog(page).getByRole('group', { name: 'Ready reasons' }).getByRole('button').first()).toHaveText(
    /Document missing$/,
  )
  await page.keyboard.press('Alt+9')
  await expect(dialog(page).getByLabel('Rejection reason')).toHaveValue('The selfie is missing. Please upload one. ')
})

test('of two operators the later keeps the text, is told who decided, and can reload (product 8.4, 9.3)', async ({
  page,
  server,
  operator,
}) => {
  const one = await importCase(server)
  await page.goto(`/kyc?tab=verifications&search=${one.email}`)
  await button(page, `Reject ${one.name}`).click()
  const reason = dialog(page).getByLabel('Rejection reason')
  await reason.fill('Blurred')
  await operator.post(`/api/kyc/verifications/${one.verification}/review`, { data: { action: 'approve' } })
  await dialog(page).getByRole('button', { name: 'Reject', exact: true }).click()
  await expectToast(page, 'Error', 'Failed to process KYC review')
  await expect(reason).toHaveAccessibleDescription(/joan/)
  await expect(reason).toHaveValue('Blurred')
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText('KYC is now Verified and is decided already.')
  await expect(dialog(page).getByRole('button', { name: 'Reject', exact: true })).toBeDisabled()
})

test('an approval that came too late still says what the case has (product 5.10, 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const one = await importCase(server)
  await page.goto(`/kyc?tab=verifications&search=${one.email}`)
  await button(page, `Approve ${one.name}`).click()
  await operator.post(`/api/kyc/verifications/${one.verification}/review`, { data: { action: 'approve' } })
  await approveAnyway(page)
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText('KYC is now Verified and is decided already.')
  await expect(dialog(page)).toContainText('Selfie missing')
  await expect(dialog(page)).not.toContainText('Nothing was submitted')
})
