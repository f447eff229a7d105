import type { APIRequestContext, Page } from '@playwright/test'
import { applyAllocations, importPayment } from './support/bank.ts'
import type { ConsoleServer } from './support/console-server.ts'
import { applyByEnter, amount, button, dialog, line, openDesk, readAllocations } from './support/desk.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { payments, prepareOrder } from './support/order-payments.ts'

test.use({ data: 'empty' })

const candidates = (page: Page) => line(page).getByRole('region', { name: 'Candidates' }).getByRole('listitem')

/** A payment for an order that was paid back, and its transfer. */
async function makeRefunded(server: ConsoleServer, operator: APIRequestContext, refunded: string) {
  const { order, account, payer, lines } = await prepareOrder(server, operator, [refunded])
  const [credit] = lines
  await applyAllocations(operator, credit!, [
    { purpose: 'refund', orderId: order.id, amount: refunded, cause: 'duplicate' },
  ])
  const endToEndId = `REF-${newWord()}`
  const transfer = await importPayment(operator, account, {
    amount: refunded,
    payer: payer.name,
    iban: payer.iban,
    endToEndId,
    text: `Refund ${order.number} ${newWord()}`,
    direction: 'DBIT',
  })
  await applyAllocations(operator, transfer, [{ purpose: 'refund', lineId: credit!.id, amount: refunded }])
  return { order, account, payer, endToEndId }
}

test('a returned refund is due again by one Enter, with the reason (product 7.10)', async ({
  page,
  server,
  operator,
}) => {
  const { order, account, payer, endToEndId } = await makeRefunded(server, operator, '91.00')
  const text = `RETURN Refund ${order.number} ${newWord()}`
  await importPayment(operator, account, {
    amount: '91.00',
    payer: payer.name,
    iban: payer.iban,
    endToEndId,
    text,
    returnReason: 'AC04',
  })
  await openDesk(page, account)
  await expect(amount(page)).toContainText('91.00 EUR')
  const first = candidates(page).first()
  await expect(first).toContainText('Returns the transfer of')
  await expect(first).toContainText(`91.00 to be paid back again, for ${order.number}`)
  await expect(first).toContainText('The bank returned it: the account is closed (AC04)')
  await expect(button(page, 'Choose the return of the transfer of 91.00 EUR')).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(first).toContainText('Returns the transfer of')
  await expectAccessible(page)
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Returned transfer · 91.00 EUR')
  await page.keyboard.press('u')
  await expect(dialog(page)).toContainText('91.00 EUR count as paid back again.')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Undone', '91.00 EUR count as paid back again')
  await expect(first).toContainText('Returns the transfer of')
  await applyByEnter(page)
  await expect(
    page.getByRole('heading', { name: 'is reconciled' }).or(page.getByText('Nothing is left to do')),
  ).toBeVisible()
  await page.goto(`/reconciliation?tab=lines&attention=refund_due&account=${account.id}`)
  await expect(page.getByRole('row').filter({ hasText: order.number })).toContainText('the account is closed (AC04)')
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page)).toContainText('the account is closed (AC04)')
})

test('a transfer is found beside orders, and returned with a reason (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const { account, payer } = await makeRefunded(server, operator, '77.00')
  await importPayment(operator, account, { amount: '70.00', payer: 'NOVO BANCO', text: `back ${newWord()}` })
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('/')
  await expect(dialog(page).getByRole('combobox', { name: 'Search orders' })).toBeFocused()
  await page.keyboard.type(payer.iban)
  const options = dialog(page).getByRole('option')
  await expect(options).toHaveCount(1)
  await expect(options).toContainText(`Returned transfer to ${payer.name}`)
  await page.keyboard.press('Enter')
  await expect(candidates(page).first()).toContainText('7.00 kept as a fee')
  await page.keyboard.press('Enter')
  await expect(line(page).getByLabel('Reason', { exact: true })).toBeFocused()
  await page.keyboard.type('Told by the bank')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Returned transfer · 70.00 EUR')
  const allocations = await readAllocations(server, account)
  expect(allocations.slice(0, 3).map(({ purpose, amount: each }) => [purpose, Number(each)])).toEqual([
    ['return', 70],
    ['ignored', 7],
    ['return', 70],
  ])
})
