import type { Page } from '@playwright/test'
import {
  applyButton,
  applyByEnter,
  amount,
  askFor,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  readAllocations,
} from './support/desk.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ data: 'empty' })

const reason = (page: Page) => line(page).getByRole('textbox', { name: 'Reason' })
const quickReasons = (page: Page) => line(page).getByRole('group', { name: 'Quick reasons' }).locator('[aria-pressed]')
const byAnother = { payer: 'Rui Pires' }

test('a digit and Enter apply the payment of a third party, with a reason (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const orders = [await askFor(server, '511.00'), await askFor(server, '512.00')]
  const account = await importWork(operator, 'Quick reason', [
    payFor(orders[0]!, '511.00', byAnother),
    payFor(orders[1]!, '512.00', byAnother),
  ])
  await openDesk(page, account)
  await expect(quickReasons(page)).toHaveText(['6Family member', '7Employer', '8Payment service', '9Same person'])
  await page.keyboard.press('7')
  await expect(reason(page)).toHaveValue('Employer')
  await expectAccessible(page)
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', orders[0]!.number)
  await expect(amount(page)).toContainText('512.00')
  await expect(reason(page)).toHaveValue('')
  // In an empty reason, which Enter has asked for, a digit means the same.
  await page.keyboard.press('Enter')
  await expect(line(page).getByRole('alert')).toHaveText('Give a reason first.')
  await expect(reason(page)).toBeFocused()
  await page.keyboard.press('6')
  await expect(reason(page)).toHaveValue('Family member')
  await page.keyboard.type(', letter of 2026')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', orders[1]!.number)
  expect(await readAllocations(server, account)).toMatchObject([
    { reason: 'Family member, letter of 2026' },
    { reason: 'Employer' },
  ])
})

test('a reason is kept for the next lines until it is forgotten (product 5.13)', async ({ page, server, operator }) => {
  const orders = [await askFor(server, '521.00'), await askFor(server, '522.00')]
  const account = await importWork(operator, 'Kept', [
    payFor(orders[0]!, '521.00', byAnother),
    payFor(orders[1]!, '522.00', byAnother),
  ])
  await openDesk(page, account)
  await reason(page).fill('Notary')
  await line(page).getByRole('button', { name: 'Keep as Quick Reason' }).click()
  await expect(quickReasons(page)).toHaveText([/Family/, /Employer/, /service/, /Same/, '0Notary'])
  await applyButton(page).click()
  await expect(amount(page)).toContainText('522.00')
  await page.keyboard.press('0')
  await expect(reason(page)).toHaveValue('Notary')
  await line(page).getByRole('button', { name: 'Forget' }).click()
  await expect(quickReasons(page)).toHaveCount(4)
  await page.reload()
  await expect(quickReasons(page)).toHaveCount(4)
})

test('a refund for another cause takes a digit as its reason (product 5.13)', async ({ page, server, operator }) => {
  const account = await importWork(operator, 'Back', [{ amount: '75.00', payer: 'Nobody Known', text: 'hello' }])
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('r')
  await expect(dialog(page).getByLabel('Cause')).toBeFocused()
  await page.keyboard.press('6')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Applied', 'To be paid back: other · 75.00 EUR')
  expect(await readAllocations(server, account)).toMatchObject([{ cause: 'other', reason: 'Payer unknown' }])
})

test('a number is asked for only while no candidate is chosen (product 5.13)', async ({ page, server, operator }) => {
  const one = await askFor(server, '66.10')
  const two = await askFor(server, '66.10')
  await server.sql('UPDATE orders SET member_id = (SELECT member_id FROM orders WHERE id = $1) WHERE id = $2', [
    one.id,
    two.id,
  ])
  const account = await importWork(operator, 'Asked', [{ amount: '66.10', payer: one.member.name, text: 'my order' }])
  await openDesk(page, account)
  await expect(line(page)).toContainText('2 orders fit equally. Choose one.')
  await page.keyboard.press('2')
  await expect(line(page).locator('[aria-pressed=true]')).toHaveCount(1)
  await expect(line(page)).not.toContainText('Choose one.')
})
