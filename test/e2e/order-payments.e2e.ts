import type { Page } from '@playwright/test'
import { applyAllocations, importPayment } from './support/bank.ts'
import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { groupInFours, panel, payments, prepareOrder, readPayments, readReply } from './support/order-payments.ts'

const rows = (page: Page) =>
  panel(page, 'Bank payments')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const dialog = (page: Page) => page.getByRole('dialog')

test('an order without a payment says how one comes (product 5.6)', async ({ page, server, operator }) => {
  const { order } = await prepareOrder(server, operator, [])
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page)).toContainText('No bank payment yet.')
  await expect(payments(page).getByRole('link', { name: 'by its amount' })).toHaveAttribute(
    'href',
    /\/reconciliation\?.*search=12500\.50(\+|%20)EUR/,
  )
  await payments(page).getByRole('link', { name: 'by the order’s number' }).click()
  await expect(page).toHaveURL(`/reconciliation?tab=lines&search=${order.number}`)
})

test('an order whose money waits says so before it is marked paid (product 5.6)', async ({
  page,
  server,
  operator,
}) => {
  const { order, account, payer } = await prepareOrder(server, operator, [])
  const text = `ZAHLUNG ${order.number.replace('-', ' ')}`
  await page.goto(`/orders?search=${order.number}`)
  await expectLive(page)
  const row = page.getByRole('region', { name: 'Orders' }).getByRole('row').filter({ hasText: order.number })
  const line = await importPayment(operator, account, { amount: '12500.50', payer: payer.name, iban: payer.iban, text })
  await expect(row).toContainText('Bank line waits')
  await page.getByRole('button', { name: `Mark Paid ${order.number}` }).click()
  await expect(dialog(page)).toContainText('A bank line that may pay this order waits. Apply it instead')
  await expect(dialog(page)).toContainText(`12,500.50 EUR from ${payer.name}`)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page)).toContainText('A bank line that may pay this order waits. Open it to apply its money.')
  await expectAccessible(page)
  await payments(page).getByRole('link', { name: '12,500.50 EUR' }).click()
  await expect(page).toHaveURL(`/reconciliation?line=${line.id}`)
})

test('a part-paid order shows what came and what is missing (product 5.6)', async ({ page, server, operator }) => {
  const { order, account, payer, lines, pay } = await prepareOrder(server, operator, ['5000.00', '500.25'])
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page)).toContainText('No bank payment yet.')
  await expectLive(page)
  for (const line of lines) await pay(line)
  // It comes by itself.
  await expect(rows(page)).toHaveCount(2)
  await expect(payments(page).getByRole('definition')).toHaveText(['5,500.25 EUR', '7,000.25 EUR', '12,500.50 EUR'])
  await expect(payments(page).getByRole('meter', { name: 'Received' })).toHaveText('44 %')
  await expect(rows(page).first()).toContainText(payer.name)
  await expect(rows(page).first()).toContainText(groupInFours(payer.iban))
  await expect(rows(page).first()).toContainText('500.25 EUR')
  await expect(rows(page).first()).toContainText('by joan')
  await expect(panel(page, 'Timeline')).toContainText('5,500.25 of 12,500.50 EUR received')
  const link = rows(page).first().getByRole('link')
  await expect(link).toHaveText(lines[1]!.place)
  await expect(rows(page).first()).toContainText(account.name)
  await expect(link).toHaveAttribute('href', `/reconciliation?line=${lines[1]!.id}`)
  await expect(payments(page).getByRole('link', { name: 'Find a Payment' })).toHaveAttribute(
    'href',
    /search=7000\.25(\+|%20)EUR/,
  )
})

test('an order with bank money can be neither marked paid nor cancelled (product 7.4)', async ({
  page,
  server,
  operator,
}) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['5000.00'])
  const obstacle = '5,000.00 EUR of the bank are applied to this order: undo that first'
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Mark Paid' }).click()
  await pay(lines[0]!)
  await dialog(page).getByRole('button', { name: 'Mark Paid' }).click()
  await expect(dialog(page).getByLabel('Payment notes')).toHaveAccessibleDescription(/of the bank are applied/)
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText(`Reloaded. ${obstacle}.`)
  await expect(dialog(page).getByRole('button', { name: 'Mark Paid' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  const way =
    'Undo the payment, mark the order paid with the reason, and attach the payment again under Reconciliation.'
  for (const name of ['Mark Paid', 'Cancel Order']) {
    await expect(page.getByRole('button', { name })).toBeDisabled()
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(
      `${obstacle}. Paid less a bank’s fee? ${way}`,
    )
  }
  await page.goto(`/orders?search=${order.number}`)
  const row = page.getByRole('region', { name: 'Orders' }).getByRole('row').filter({ hasText: order.number })
  await expect(row).toContainText('12,500.50 EUR')
  await expect(row).toContainText('5,000.00 received')
  for (const name of ['Mark Paid', 'Cancel']) {
    await expect(row.getByRole('button', { name: `${name} ${order.number}` })).toBeDisabled()
    await expect(row.getByRole('button', { name: `${name} ${order.number}` })).toHaveAttribute('title', obstacle)
  }
})

test('an undone payment stays to be read, and the order waits again (product 5.6, 7.4)', async ({
  page,
  server,
  operator,
}) => {
  const { order, lines, pay, member } = await prepareOrder(server, operator, ['12500.50'])
  await pay(lines[0]!)
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await expect(panel(page, 'Timeline')).toContainText('by joan')
  await rows(page)
    .getByRole('button', { name: /^Undo 12,500\.50 EUR of / })
    .click()
  await expect(dialog(page)).toHaveAccessibleName('Undo 12,500.50 EUR?')
  await expect(dialog(page)).toContainText('It waits for payment again.')
  const undo = dialog(page).getByRole('button', { name: 'Undo Payment' })
  await expect(undo).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('Belongs to another order')
  await undo.click()
  await expectToast(page, 'Payment Undone', `12,500.50 EUR · ${order.number}`)
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Waiting Payment', { exact: true })).toBeVisible()
  await expect(panel(page, 'Timeline')).toContainText(/Payment undoneby grace on /)
  await expect(payments(page).getByRole('list', { name: 'Undone' })).toContainText(
    new RegExp(`12,500\\.50 EUR of ${member.name.toUpperCase()}.*undone by grace on .*“Belongs to another order”`),
  )
  await expect(page.getByRole('button', { name: 'Mark Paid' })).toBeEnabled()
  expect(await readPayments(operator, order.id)).toMatchObject({ received: '0.00', outstanding: '12500.50' })
})

test('of two operators who undo a payment the later is told (product 9.3)', async ({ page, server, operator }) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['100.00'])
  const [allocation] = await pay(lines[0]!)
  await page.goto(`/orders/${order.id}`)
  await rows(page)
    .getByRole('button', { name: /^Undo / })
    .click()
  await dialog(page).getByLabel('Reason').fill('Not theirs')
  await readReply(await operator.post(`/api/bank/allocations/${allocation!.id}/undo`, { data: { reason: 'Mistake' } }))
  await dialog(page).getByRole('button', { name: 'Undo Payment' }).click()
  await expect(dialog(page).getByLabel('Reason')).toHaveAccessibleDescription(/undone/)
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Not theirs')
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText('This payment was undone by joan already.')
  await expect(dialog(page).getByRole('button', { name: 'Undo Payment' })).toBeDisabled()
})

test('a payment of a completed order says why it stays (product 7.4)', async ({ page, server, operator }) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['12500.50'])
  await pay(lines[0]!)
  await server.sql(`UPDATE orders SET status = 'completed', completed_at = now() WHERE id = $1`, [order.id])
  await page.goto(`/orders/${order.id}`)
  const undo = rows(page).getByRole('button', { name: /^Undo / })
  await expect(undo).toBeDisabled()
  await expect(undo).toHaveAccessibleDescription(/was completed.*settle it with the platform first/)
  await expect(payments(page)).toContainText('settle it with the platform first')
})

test('money that is to be paid back stands beside what was asked (product 5.6)', async ({ page, server, operator }) => {
  const { order, lines } = await prepareOrder(server, operator, ['12600.00'])
  await applyAllocations(operator, lines[0]!, [
    { purpose: 'order', orderId: order.id, amount: '12500.50' },
    { purpose: 'refund', orderId: order.id, amount: '99.50', cause: 'overpaid' },
  ])
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page).getByRole('definition')).toHaveText([
    '12,500.50 EUR',
    '0.00 EUR',
    '12,500.50 EUR',
    '99.50 EUR',
  ])
  await expect(payments(page)).toContainText('To refund')
  await expect(rows(page).filter({ hasText: '99.50 EUR' })).toContainText('Refund')
})

test('an order that an operator marked paid says so (product 5.6)', async ({ page, server, operator }) => {
  const { order } = await prepareOrder(server, operator, [])
  await readReply(await operator.patch(`/api/orders/${order.id}/status`, { data: { status: 'paid' } }))
  await page.goto(`/orders/${order.id}`)
  await expect(payments(page)).toContainText('Marked paid by hand by joan.')
  await expect(panel(page, 'Timeline')).toContainText('by joan, by hand')
})

test('a payment marked by hand is undone with a reason (product 5.6, 7.4)', async ({ page, server, operator }) => {
  const { order } = await prepareOrder(server, operator, [])
  await readReply(await operator.patch(`/api/orders/${order.id}/status`, { data: { status: 'paid' } }))
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Undo Payment' }).click()
  await expect(dialog(page)).toContainText('no longer counts as received')
  const undo = dialog(page).getByRole('button', { name: 'Undo Payment' })
  await expect(undo).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('Marked the wrong order')
  await expectAccessible(page)
  await undo.click()
  await expectToast(page, 'Order Updated')
  await expect(panel(page, 'Timeline')).toContainText('Payment undone')
  await expect(panel(page, 'Timeline')).toContainText('Marked the wrong order')
  await expect(page.getByRole('button', { name: 'Mark Paid' })).toBeEnabled()
})

test('money that was booked in time pays an expired order (product 7.4)', async ({ page, server, operator }) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['12500.50'])
  await server.sql(`UPDATE orders SET expires_at = now() - interval '1 minute', status = 'expired' WHERE id = $1`, [
    order.id,
  ])
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()
  await expectLive(page)
  await pay(lines[0]!)
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await expect(panel(page, 'Timeline')).toContainText('After its end, with money that the bank booked in time')
})

test('offline no payment can be undone (product 3.5)', async ({ page, server, operator, context }) => {
  const { order, lines, pay } = await prepareOrder(server, operator, ['100.00'])
  await pay(lines[0]!)
  await page.goto(`/orders/${order.id}`)
  const undo = rows(page).getByRole('button', { name: /^Undo / })
  await expect(undo).toBeEnabled()
  await context.setOffline(true)
  await expect(undo).toBeDisabled()
  await context.setOffline(false)
  await expect(undo).toBeEnabled()
})

test("a member's page names the accounts and the payments of others (product 5.4)", async ({
  page,
  server,
  operator,
}) => {
  const { member, order, account, payer, lines, pay } = await prepareOrder(server, operator, ['100.00'])
  await page.goto(`/users/${member.id}`)
  await expect(page.getByText('No bank accounts yet.')).toBeVisible()
  await expectLive(page)
  await pay(lines[0]!)
  const seen = panel(page, 'Bank accounts')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  await expect(seen).toContainText(groupInFours(payer.iban))
  await expect(seen).toContainText('by joan')
  const grandmother = `GRANDMOTHER ${newWord().toUpperCase()}`
  const given = { amount: '7.00', payer: grandmother, text: `gift ${newWord()}` }
  const other = await importPayment(operator, account, given)
  await pay(other)
  const paid = panel(page, 'Paid by others')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  await expect(paid).toContainText(grandmother)
  await expect(paid).toContainText('7.00 EUR')
  await expect(paid).toContainText('Confirmed by the member')
  await expect(paid.getByRole('link', { name: order.number })).toHaveAttribute('href', `/orders/${order.id}`)
  await expect(paid.getByRole('link').first()).toHaveAttribute('href', `/reconciliation?line=${other.id}`)
})

test('axe finds nothing on an order with payments, wide and narrow (product 3.8)', async ({
  page,
  server,
  operator,
}) => {
  const { order, lines, pay, member } = await prepareOrder(server, operator, ['5000.00', '200.00'])
  const [allocation] = await pay(lines[0]!)
  await readReply(await operator.post(`/api/bank/allocations/${allocation!.id}/undo`, { data: { reason: 'Mistake' } }))
  await pay(lines[1]!)
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByRole('img', { name: /^Payment code/ })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await rows(page)
    .getByRole('button', { name: /^Undo / })
    .click()
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto(`/users/${member.id}`)
  await expect(panel(page, 'Bank accounts')).toContainText('by joan')
  await expectAccessible(page)
})
