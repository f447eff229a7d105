import { stopClock } from './support/clock.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importCases, button, caseName, findResubmittedCase, reason, readVerification } from './support/kyc-cases.ts'
import { box, search } from './support/search.ts'

test('rejecting needs a reason, which Alt with a chip’s number fills (product 9.5)', async ({ page, server }) => {
  const [one] = await importCases(server, 1)
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('r')
  await expect(reason(page)).toHaveAccessibleDescription('Rejection reason is required')
  await expect(button(page, 'Reject')).toBeDisabled()
  await expect(reason(page)).toBeFocused()
  await page.keyboard.press('Alt+2')
  await expect(reason(page)).toHaveValue('The document has expired. Please upload a valid one. ')
  await page.keyboard.press('Alt+6')
  await expect(button(page, 'Expired')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Alt+2')
  await expect(reason(page)).toHaveValue('The selfie does not show the person on the document. ')
  await page.keyboard.type(' 2 arn')
  await expect(reason(page)).toHaveValue('The selfie does not show the person on the document. 2 arn')
  await page.keyboard.press('Escape')
  await expect(reason(page)).toBeHidden()
  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'KYC Status Updated')
  await expect(caseName(page)).not.toHaveText(one.name)
  expect(await readVerification(server, one.verification)).toEqual({
    status: 'rejected',
    reason: 'The selfie does not show the person on the document. 2 arn',
    by: 'grace',
  })
})

test('text typed while a decision loads is not a shortcut', async ({ page, server }) => {
  const [one, next] = await importCases(server, 2)
  await page.goto('/kyc?review=next')
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('a')
  await expect(button(page, 'Approve')).toBeFocused()
  await page.keyboard.type('rang them, by phone', { delay: 5 })
  await expect(page.getByLabel('Admin notes')).toHaveValue('rang them, by phone')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Approve')).toBeFocused()
  await expect(page.getByRole('group', { name: `Approve KYC of ${one.name}?` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.keyboard.type('The back of it is cut off', { delay: 5 })
  await expect(reason(page)).toHaveValue('The back of it is cut off')
  expect((await readVerification(server, one.verification))?.status).toBe('pending')
  await page.keyboard.press('Control+Enter')
  await expect(caseName(page)).toHaveText(next!.name)
  expect(await readVerification(server, one.verification)).toMatchObject({
    status: 'rejected',
    reason: 'The back of it is cut off',
  })
})

test('text typed into the search while a case is being opened stays there', async ({ page, server }) => {
  await importCases(server, 1)
  const opening = Promise.withResolvers<void>()
  await page.route('**/api/kyc/cases/claim-next', async (route) => {
    await opening.promise
    await route.continue()
  })
  await page.goto('/kyc?review=next')
  await search(page, 'xyl', 'Control+k')
  opening.resolve()
  await expect(caseName(page)).toBeVisible()
  await page.keyboard.type('ander')
  await expect(box(page)).toHaveValue('xylander')
})

test('a reason may begin with a digit, and space picks no chip (product 5.10)', async ({ page, server }) => {
  const [one] = await importCases(server, 1)
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('r')
  await page.keyboard.type('2nd page is missing')
  await expect(reason(page)).toHaveValue('2nd page is missing')
  await reason(page).fill('')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.keyboard.press(' ')
  await expect(button(page, 'Not readable')).toHaveAttribute('aria-pressed', 'false')
  await button(page, 'Expired').click()
  await expect(reason(page)).toBeFocused()
  await page.keyboard.type(' since May', { delay: 5 })
  await expect(reason(page)).toHaveValue('The document has expired. Please upload a valid one. since May')
  await button(page, 'Face differs').click()
  await page.keyboard.type('3 of us looked')
  await expect(reason(page)).toHaveValue(
    'The document has expired. Please upload a valid one. since May The selfie does not show the person on the document. 3 of us looked',
  )
})

test('a press twice within a second warns of unseen documents and approves nothing (product 5.10)', async ({
  page,
  server,
}) => {
  const [one] = await importCases(server, 1)
  await page.clock.install()
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  const reviews: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/review')) reviews.push(request.url())
  })
  const anyway = button(page, 'Approve anyway')
  await page.keyboard.press('a')
  await expect(button(page, 'Approve')).toBeFocused()
  await stopClock(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Press again to approve anyway.')
  await page.clock.runFor(990)
  await page.keyboard.press('Enter')
  await expect(anyway).toBeDisabled()
  await expect(anyway).toBeFocused()
  await page.clock.runFor(10)
  await expect(anyway).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.clock.resume()
  await button(page, 'Approve').click()
  await stopClock(page)
  await button(page, 'Approve').click({ clickCount: 2 })
  // A press that began before the button was ready does not count either.
  await page.mouse.down()
  await page.clock.runFor(1000)
  await expect(anyway).toBeEnabled()
  await page.mouse.up()
  await expect(anyway).toBeFocused()
  expect(reviews).toEqual([])
  await page.clock.resume()
  await anyway.click()
  await expectToast(page, 'KYC Approved Successfully')
  expect(reviews).toHaveLength(1)
  expect((await readVerification(server, one.verification))?.status).toBe('approved')
})

test('text pasted or begun with an accent right after A or R is kept', async ({ page, server }) => {
  const [one] = await importCases(server, 1)
  const notes = page.getByLabel('Admin notes')
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('a')
  await page.keyboard.type('Checked by phone')
  for (const key of ['Control+a', 'Control+x', 'Escape', 'a', 'Control+v']) await page.keyboard.press(key)
  await expect(notes).toHaveValue('Checked by phone')
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect(button(page, 'Approve')).toBeFocused()
  await button(page, 'Approve').dispatchEvent('keydown', { key: 'Dead', code: 'Quote' })
  await expect(notes).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.down('r')
  await page.keyboard.down('r')
  await page.keyboard.up('r')
  await expect(reason(page)).toHaveValue('')
  await page.keyboard.press('Control+v')
  await expect(reason(page)).toHaveValue('Checked by phone')
})

test('digits mark what differs from the document, which the rejection then says (product 5.10)', async ({
  page,
  server,
}) => {
  const [one, next] = await importCases(server, 2)
  const mark = (field: string) => button(page, `${field} differs from the document`)
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await expect(button(page, 'Approve')).toBeEnabled()
  for (const key of ['3', '4', '4']) await page.keyboard.press(key)
  await expect(mark('Date of birth')).toHaveAttribute('aria-pressed', 'true')
  await expect(mark('Nationality')).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByText('Differs', { exact: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('r')
  await expect(reason(page)).toHaveValue('The date of birth on the document differs from the one given. ')
  await mark('Last name').click()
  await expect(reason(page)).toBeFocused()
  await expect(reason(page)).toHaveValue('The last name and the date of birth differ from the document. ')
  await page.keyboard.press('Escape')
  await page.keyboard.press('2')
  await page.keyboard.press('r')
  await page.keyboard.type(' It says 1987.')
  await page.keyboard.press('Control+Enter')
  await expect(caseName(page)).toHaveText(next!.name)
  expect(await readVerification(server, one.verification)).toMatchObject({
    status: 'rejected',
    reason: 'The date of birth on the document differs from the one given. It says 1987.',
  })
  await expect(mark('Date of birth')).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('r')
  await expect(reason(page)).toHaveValue('')
})

test('a field that differs is a doubt about an approval, and an edited reason stays (product 5.10)', async ({
  page,
  server,
}) => {
  const { id } = await findResubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('5')
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The document type differs from the document.')
  await expect(page.getByRole('alert')).toContainText('Press again to approve anyway.')
  await expect(button(page, 'Approve anyway')).toBeEnabled()
  // Another mark asks again.
  await button(page, 'Nationality differs from the document').click()
  await button(page, 'Approve').click()
  await expect(page.getByRole('alert')).toContainText('The nationality and the document type differ from the document.')
  expect((await readVerification(server, id))?.status).toBe('pending')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await reason(page).fill('It is a residence permit.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('4')
  await page.keyboard.press('r')
  await expect(reason(page)).toHaveValue('It is a residence permit.')
})
