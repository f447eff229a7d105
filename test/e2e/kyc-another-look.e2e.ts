import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import { stopClock } from './support/clock.ts'
import { button, caseName, importCases } from './support/kyc-cases.ts'

test('by keyboard alone a case is put aside for a colleague, and taken back (product 5.10)', async ({
  page,
  server,
  operator,
}) => {
  const [first, second] = await importCases(server, 2)
  await page.clock.install()
  await page.goto('/kyc?review=next')
  await expect(caseName(page)).toHaveText(first.name)
  await page.keyboard.press('q')
  await expect(page.getByLabel('Note to a colleague')).toBeFocused()
  await expect(button(page, 'Put Aside')).toBeDisabled()
  await page.keyboard.type('The photo looks edited.')
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'Marked for another look', first.name)
  await expect(caseName(page)).toHaveText(second!.name)
  // The toast would close itself after 5 seconds, on a slow machine before Undo is pressed.
  await stopClock(page)
  const offered = await (await operator.post('/api/kyc/cases/claim-next')).json()
  expect(offered).toMatchObject({
    case: { verification: { id: first.verification, anotherLook: { by: 'grace', note: 'The photo looks edited.' } } },
  })
  await operator.post(`/api/kyc/cases/${first.verification}/release`)
  await page.keyboard.press('F8')
  const undo = page.getByRole('button', { name: 'Undo' })
  // It takes no press in its first moment.
  await page.clock.runFor(600)
  await expect(undo).toBeEnabled()
  await undo.press('Enter')
  await page.clock.resume()
  await expect(caseName(page)).toHaveText(first.name)
  await expect(page.getByText('asks for another look')).toBeHidden()
})

test('the bell leads to the cases that need another look, and a colleague sees why (product 3.6)', async ({
  page,
  server,
  operator,
}) => {
  const [first] = await importCases(server, 1)
  await page.goto('/kyc?tab=verifications')
  await expectLive(page)
  await operator.post(`/api/kyc/cases/${first.verification}/another-look`, { data: { note: 'Compare the signature.' } })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: /another look/ }).click()
  await expect(page).toHaveURL('/kyc?tab=verifications&anotherLook=true')
  await expect(page.getByText('joan asks for another look')).toBeVisible()
  await page.getByRole('link', { name: `Review ${first.name}` }).click()
  await expect(page.getByText(/joan asks for another look, .+: Compare the signature\./)).toBeVisible()
  await expectAccessible(page)
  await button(page, 'No Longer Needed').click()
  await expectToast(page, 'Back in the queue', first.name)
  await expect(page.getByText('joan asks for another look')).toBeHidden()
  await expect(caseName(page)).toHaveText(first.name)
})

test('a case says its place, P opens the one before, and ? lists the keys (product 5.10)', async ({ page, server }) => {
  const [first, second] = await importCases(server, 2)
  await page.goto('/kyc?review=next')
  await expect(caseName(page)).toHaveText(first.name)
  await expect(page.getByText(/^1 of \d+ waiting$/)).toBeVisible()
  await page.keyboard.press('p')
  await expectToast(page, 'This is the first case')
  await expect(caseName(page)).toHaveText(first.name)
  await page.keyboard.press('n')
  await expect(caseName(page)).toHaveText(second!.name)
  await expect(page.getByText(/^2 of \d+ waiting$/)).toBeVisible()
  await page.keyboard.press('p')
  await expect(caseName(page)).toHaveText(first.name)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('put the case aside for a colleague')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(caseName(page)).toHaveText(first.name)
})
