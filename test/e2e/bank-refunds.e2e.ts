import type { Page } from '@playwright/test'
import { addBankAccount, applyAllocations, importPayment, newIban } from './support/bank.ts'
import { candidate, line } from './support/desk.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { groupInFours, prepareOrder } from './support/order-payments.ts'

const rows = (page: Page) =>
  page
    .getByRole('region', { name: 'Bank lines' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

test('the notice of refunds leads to what the transfers need (product 5.13)', async ({ page, server, operator }) => {
  const { order, account, payer, lines } = await prepareOrder(server, operator, ['100.00', '12600.00'])
  await applyAllocations(operator, lines[0]!, [
    { purpose: 'refund', orderId: order.id, amount: '100.00', cause: 'duplicate' },
  ])
  await applyAllocations(operator, lines[1]!, [
    { purpose: 'order', orderId: order.id, amount: '12500.50' },
    { purpose: 'refund', orderId: order.id, amount: '99.50', cause: 'overpaid' },
  ])
  await page.goto(`/reconciliation?tab=lines&attention=refund_due&account=${account.id}`)
  await expect(rows(page)).toHaveCount(2)
  const row = rows(page).filter({ hasText: '99.50 EUR' })
  await expect(row).toContainText(payer.name)
  await expect(row).toContainText(groupInFours(payer.iban))
  await expect(row).toContainText(`Overpaid, ${order.number}`)
  await expect(row).toContainText('of 12,600.00')
  await expect(row.getByRole('button', { name: `Copy ${groupInFours(payer.iban)}` })).toBeVisible()
  await expect(row.getByRole('button', { name: `Copy Refund ${order.number}` })).toBeVisible()
  await expect(page.getByText('To be paid back 199.50 EUR')).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export with Payees' }).click()
  expect((await download).url()).toContain('payers=shown')
})

test('what was paid back is told apart at the head of the account (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const { account, lines, payer } = await prepareOrder(server, operator, ['80.00'])
  await applyAllocations(operator, lines[0]!, [{ purpose: 'refund', amount: '80.00', cause: 'duplicate' }])
  const debit = await importPayment(operator, account, {
    amount: '50.00',
    payer: payer.name,
    iban: payer.iban,
    text: `Back ${newWord()}`,
    direction: 'DBIT',
  })
  await applyAllocations(operator, debit, [{ purpose: 'refund', lineId: lines[0]!.id, amount: '50.00' }])
  await page.goto(`/reconciliation?account=${account.id}`)
  const head = page.getByRole('region', { name: 'Latest statement' })
  await expect(head.getByRole('listitem').filter({ hasText: 'To refund' })).toHaveText('To refund 30.00')
  await expect(head.getByRole('listitem').filter({ hasText: 'Paid back' })).toHaveText('Paid back 50.00')
  const done = page.getByRole('table', { name: 'The outcome of the money' })
  await expect(done).toContainText('30.00 still to be paid back, 50.00 paid back')
})

test('a payment back shows the payment it is of, with its order (product 5.13)', async ({ page, server, operator }) => {
  const { order, account, lines, payer } = await prepareOrder(server, operator, ['64.00'])
  await applyAllocations(operator, lines[0]!, [
    { purpose: 'refund', orderId: order.id, amount: '64.00', cause: 'late' },
  ])
  const debit = await importPayment(operator, account, {
    amount: '64.00',
    payer: payer.name,
    iban: payer.iban,
    text: `Back ${newWord()}`,
    direction: 'DBIT',
  })
  await page.goto(`/reconciliation?account=${account.id}&line=${debit.id}`)
  const card = candidate(page, 'the refund of the payment of 64.00 EUR')
  await expect(card).toContainText(`Payment of ${payer.name}`)
  await expect(card).toContainText(groupInFours(payer.iban))
  await expect(card).toContainText(`64.00 to be paid back, booked too late, for ${order.number}`)
  await line(page)
    .getByRole('button', { name: /^Apply/ })
    .click()
  await expectToast(page, 'Payment Applied', 'Paid back · 64.00 EUR')
  await page.goto(`/reconciliation?account=${account.id}&line=${lines[0]!.id}`)
  await expect(line(page).getByRole('region', { name: 'History' })).toContainText(
    `64.00 EUR Paid back for ${order.number}: booked too late`,
  )
})

test('a candidate that is refused is not called likely (product 5.13)', async ({ page, server, operator }) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['12500.50'])
  await pay(lines[0]!)
  const account = await addBankAccount(operator)
  const again = await importPayment(operator, account, {
    amount: '12500.50',
    payer: lines[0]!.payer.name!,
    iban: newIban(),
    text: `Payment ${order.number} again`,
  })
  await page.goto(`/reconciliation?account=${account.id}&line=${again.id}`)
  const card = candidate(page, order.number)
  await expect(card).toContainText(`Order ${order.number} is paid`)
  await expect(card).not.toContainText('Likely')
})
