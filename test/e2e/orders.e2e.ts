import type { Page } from '@playwright/test'
import { orderStatuses, orderStatusLabels } from '#contract/order-moves.ts'
import { stopClock } from './support/clock.ts'
import { expect, expectAccessible, expectLive, expectToast, readClipboard, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { importOrder } from './support/orders.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Orders' }).getByRole('table')
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^View / }) })
const findRow = (page: Page, number: string) => rows(page).filter({ hasText: number })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search by user, project or order number' })
const filterBox = (page: Page) => page.getByRole('combobox', { name: 'Status filter' })
const dialog = (page: Page) => page.getByRole('dialog')
const panel = (page: Page, name: string) => page.getByRole('region', { name })

test('Orders list: all columns and named actions (product 5.5)', async ({ page, server }) => {
  const member = await importMember(server)
  const waiting = await importOrder(server, member, {
    createdAt: '2026-01-05T09:07:00Z',
    expiresAt: '2099-01-05T09:07:00Z',
  })
  const huge = await importOrder(server, member, { investmentAmount: '999999999999999.99' })
  await page.goto(`/orders?search=${huge.number}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order Management')
  const money = findRow(page, huge.number).getByText('999,999,999,999,999.99 EUR')
  expect(await money.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.goto(`/orders?search=${waiting.number}`)
  const heads = ['Select', 'Order Number', 'User', 'Project', 'Investment', 'Status', 'Expires', 'Created', 'Actions']
  await expect(table(page).getByRole('columnheader')).toHaveText(heads)
  await expect(findRow(page, waiting.number).getByRole('cell')).toHaveText([
    '',
    waiting.number,
    `${member.name}${member.email}`,
    'Solar Park',
    '12,500.50 EUR',
    'Waiting Payment',
    /Jan 05, 2099 at 09:07$/,
    'Jan 05, 2026 at 09:07',
    'ViewMark PaidCancel',
  ])
  await page.getByRole('link', { name: waiting.number, exact: true }).press('Enter')
  await expect(page).toHaveURL(`/orders/${waiting.id}`)
})

test('each state has its badge and its filter (product 5.5, 7.4)', async ({ page, server }) => {
  const member = await importMember(server)
  const numbers = new Map<string, string>()
  for (const status of orderStatuses) {
    const past = status === 'expired' && { expiresAt: new Date(Date.now() - 60_000).toISOString() }
    numbers.set(status, (await importOrder(server, member, { status, ...past })).number)
  }
  const late = await importOrder(server, member)
  await server.sql(`UPDATE orders SET expires_at = now() - interval '1 minute', status = 'expired' WHERE id = $1`, [
    late.id,
  ])
  await page.goto(`/orders?search=${member.email}`)
  await expect(rows(page)).toHaveCount(6)
  await expect(filterBox(page).getByRole('option')).toHaveText(['All Status', ...Object.values(orderStatusLabels)])
  for (const [status, number] of numbers) {
    const row = findRow(page, number)
    await expect(row).toContainText(orderStatusLabels[status as keyof typeof orderStatusLabels])
    await expect(row.getByRole('button')).toHaveCount(status === 'waiting_payment' ? 2 : 0)
  }
  for (const status of ['paid', 'waiting_payment'] as const) {
    await filterBox(page).selectOption(orderStatusLabels[status])
    await expect(rows(page)).toHaveCount(1)
    await expect(findRow(page, numbers.get(status)!)).toBeVisible()
    expect(new URL(page.url()).searchParams.get('status')).toBe(status)
  }
  await page.reload()
  await expect(filterBox(page)).toHaveValue('waiting_payment')
  await page.goBack()
  await expect(filterBox(page)).toHaveValue('paid')
})

test('orders are searched by user, project or order number in pages of 50 (product 5.5, 14, 4.4)', async ({
  page,
  server,
}) => {
  const member = await importMember(server, { legalFirstName: 'José' })
  const project = newWord()
  const order = await importOrder(server, member, { projectName: `Øster ${project}` })
  await page.goto('/orders')
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByText(/^Showing 1 to 50 of \d+ entries$/)).toBeVisible()
  for (const typed of [member.name.replace('é', 'e'), `oster ${project}`, order.number.toLowerCase()]) {
    await searchBox(page).fill(typed)
    await expect(rows(page)).toHaveCount(1)
    await expect(findRow(page, order.number)).toBeVisible()
    // Else the row of this search would stand for that of the next.
    await searchBox(page).fill(`${project} nothing`)
    await expect(table(page)).toContainText('No data available')
  }
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectToast(page, 'Refreshed')
})

test('Mark Paid from the list sends the version it was decided on (product 7.4, 9.3)', async ({
  page,
  server,
  context,
}) => {
  const order = await importOrder(server, await importMember(server))
  const other = await context.newPage()
  await other.goto(`/orders/${order.id}`)
  await expectLive(other)
  await expect(other.getByRole('button', { name: 'Mark Paid' })).toBeVisible()
  await page.goto(`/orders?search=${order.number}`)
  await page.getByRole('button', { name: `Mark Paid ${order.number}` }).click()
  await expect(dialog(page)).toHaveAccessibleName(`Mark order #${order.number} paid?`)
  await expect(dialog(page)).toContainText('12,500.50 EUR')
  await expect(dialog(page).getByLabel('Payment notes')).toBeFocused()
  const sent = page.waitForRequest(`**/api/orders/${order.id}/status`)
  await dialog(page).getByRole('button', { name: 'Mark Paid' }).click()
  expect((await sent).headers()['if-match']).toBe('"1"')
  expect((await sent).postDataJSON()).toEqual({ status: 'paid' })
  await expectToast(page, 'Order Updated', `${order.number} paid · 12,500.50 EUR`)
  await expect(dialog(page)).toBeHidden()
  await expect(findRow(page, order.number)).toContainText('Paid')
  await expect(findRow(page, order.number).getByRole('button')).toHaveCount(0)
  await expect(other.getByRole('button', { name: 'Mark Paid' })).toBeHidden()
  await expect(panel(other, 'Timeline')).toContainText('by grace')
})

test('Cancel needs a reason, its button is disabled while there is none (product 9.5)', async ({ page, server }) => {
  const order = await importOrder(server, await importMember(server))
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Cancel Order' }).click()
  const cancel = dialog(page).getByRole('button', { name: 'Cancel Order' })
  await expect(cancel).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('   ')
  await expect(cancel).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('Asked for by the member')
  await cancel.click()
  await expectToast(page, 'Order Updated')
  await expect(panel(page, 'Timeline')).toContainText('ReasonAsked for by the member')
  await expect(page.getByRole('button', { name: 'Mark Paid' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Cancel Order' })).toBeHidden()
})

test('order detail: investment, timeline, bank details to copy, instructions (product 5.6)', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const member = await importMember(server)
  const order = await importOrder(server, member, {
    status: 'completed',
    createdAt: '2026-01-05T09:07:00Z',
    expiresAt: '2026-01-08T09:07:00Z',
    paidAt: '2026-01-06T10:00:00Z',
    completedAt: '2026-01-07T11:00:00Z',
  })
  await page.clock.install()
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Order #${order.number}`)
  await expect(page.getByText('Investment Order Details')).toBeVisible()
  await expect(page.getByRole('link', { name: member.name })).toHaveAttribute('href', `/users/${member.id}`)
  const facts = (name: string) => panel(page, name).getByRole('definition')
  await expect(facts('Investment Details')).toHaveText(['Solar Park', 'prj-7', '12,500.50 EUR', order.number])
  await expect(facts('Timeline')).toHaveText([
    'Jan 05, 2026 at 09:07',
    'Jan 08, 2026 at 09:07',
    'Jan 06, 2026 at 10:00',
    'Jan 07, 2026 at 11:00',
    /^by platform:/,
  ])
  await expect(facts('Bank Details')).toHaveText([
    'Meridian Bank',
    'Solar Park Ltd',
    '0012345',
    'XX00 0000 0012 345',
    'MERIXX00',
  ])
  await expect(panel(page, 'Payment Instructions')).toContainText(`Give ${order.number} as the reference.`)
  // The button says so for a moment only.
  await stopClock(page)
  await page.getByRole('button', { name: 'Copy IBAN' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await readClipboard(page)).toBe('XX00 0000 0012 345')
})

test('an imported order that nobody could pay as it is says why (product 5.6)', async ({ page, server }) => {
  const wrong = { investmentAmount: '100.50', currency: 'JPY', iban: 'DE88 3704 0044 0532 0130 00' }
  const order = await importOrder(server, await importMember(server), wrong)
  await page.goto(`/orders/${order.id}`)
  await expect(panel(page, 'Bank Details')).toContainText('The check digits of this IBAN do not fit')
  await expect(panel(page, 'Investment Details')).toContainText('100.50 has more places than JPY, which has 0')
})

test('an unknown order says Order Not Found and leads back (product 5.6)', async ({ page }) => {
  for (const id of ['999999', 'abc']) {
    await page.goto(`/orders/${id}`)
    await expect(page.getByRole('main').getByText('Order Not Found')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Back to Order Management' }).click()
  await expect(page).toHaveURL('/orders')
})

test('axe finds nothing on the orders, an order and its dialog, wide and narrow (product 3.8)', async ({
  page,
  server,
}) => {
  await page.goto('/orders')
  await expect(rows(page)).toHaveCount(50)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1440, height: 900 })
  const order = await importOrder(server, await importMember(server))
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Cancel Order' }).click()
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
