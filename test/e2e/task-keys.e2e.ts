import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { Operator } from './support/operator.ts'
import { importOrder } from './support/orders.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })

test('the ten largest orders that expire today are cancelled with 40 keys at most (product 5.18)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const make = (orderNumber: string, amount: number, expiresAt: string) =>
    importOrder(server, member, { orderNumber, investmentAmount: `${amount}.00`, expiresAt })
  for (let at = 0; at < 15; at += 1) await make(`TODAY-${at}`, 1000 + ((at * 7) % 15) * 100, inHours(3 + at))
  for (let at = 0; at < 5; at += 1) await make(`LATER-${at}`, 9000 + at, inHours(72))
  const readCancelled = () =>
    server.sql(`SELECT investment_amount::float AS amount, notes FROM orders
      WHERE status = 'cancelled' ORDER BY investment_amount DESC`)
  await page.goto('/')
  const operator = new Operator(page)
  await operator.goTo('ord', 'Order Management')
  await operator.filter('24', 'Expiring within 24 hours', 15)
  await operator.tabTo(page.getByRole('columnheader', { name: 'Investment' }).getByRole('button'))
  await operator.press('Enter')
  await expect(page.locator('main tr[data-row]').first()).toContainText('2,400.00')
  await operator.press('j', 'x')
  for (let at = 1; at < 10; at += 1) {
    await operator.press('Shift+J')
    await expect(bar(page)).toContainText(`${at + 1} selected`)
  }
  await operator.press('.')
  await operator.tabTo(bar(page).getByRole('button', { name: 'Cancel Orders…' }))
  await operator.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Cancel 10 orders?')
  await operator.tabTo(dialog(page).getByLabel('Reason'))
  await operator.press(...'Full', 'ControlOrMeta+Enter')
  const largest = Array.from({ length: 10 }, (_, at) => ({ amount: 2400 - at * 100, notes: 'Full' }))
  await expect.poll(readCancelled).toEqual(largest)
  expect(operator.presses).toBeLessThanOrEqual(40)
})

test('30 messages that were given up are sent again with 22 keys at most (product 5.18)', async ({ page, server }) => {
  await server.sql(
    `WITH events AS (
       INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
       SELECT 'member.updated', 'member', 'm-' || n, 1, '{}' FROM generate_series(1, 80) n RETURNING *
     )
     INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id,
       ordering_key, state, tries)
     SELECT 'platform', 'out', 1, id, event_id, type, entity_type, entity_id, '1/member/' || entity_id,
       CASE WHEN substr(entity_id, 3)::int <= 30 THEN 'failed' ELSE 'delivered' END, 10
     FROM events`,
  )
  await page.goto('/')
  const operator = new Operator(page)
  await operator.goTo('deliv', 'KYC Webhooks')
  await operator.filter('giv', 'Given up', 30)
  await operator.press('j', 'x')
  await expect(bar(page)).toContainText('1 selected')
  await operator.press('.')
  await expect(bar(page).getByRole('button', { name: 'Select all 30 that match' })).toBeFocused()
  await operator.press('Enter')
  await expect(bar(page)).toContainText('30 selected')
  await operator.press('.')
  await operator.tabTo(bar(page).getByRole('button', { name: 'Send Again…' }))
  await operator.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Send 30 messages again?')
  await operator.press('ControlOrMeta+Enter')
  await expect(dialog(page)).toHaveCount(0)
  const countStates = () =>
    server.sql(`SELECT state, count(*)::int FROM messages
      WHERE type = 'member.updated' GROUP BY state ORDER BY state`)
  await expect.poll(countStates).toEqual([
    { state: 'delivered', count: 50 },
    { state: 'waiting', count: 30 },
  ])
  expect(operator.presses).toBeLessThanOrEqual(22)
})

test('a view is saved and found again with 36 keys at most (product 4.7)', async ({ page, server }) => {
  const member = await importMember(server)
  for (const status of ['paid', 'paid', 'cancelled']) await importOrder(server, member, { status })
  await page.goto('/')
  const operator = new Operator(page)
  await operator.goTo('ord', 'Order Management')
  await operator.filter('paid', 'Paid', 2)
  await operator.tabTo(page.getByRole('button', { name: 'Save View' }))
  await operator.press('Enter')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await operator.press(...'Paid', 'Enter')
  await expect(dialog(page)).toHaveCount(0)
  await operator.goTo('user', 'User Management')
  await operator.goTo('ord', 'Order Management')
  await operator.tabTo(
    page.getByRole('navigation', { name: 'Saved views of this list' }).getByRole('link', { name: 'Paid' }),
  )
  await operator.press('Enter')
  await expect(page).toHaveURL('/orders?status=paid')
  await expect(page.getByText('of 2 entries')).toBeVisible()
  const { views } = (await (await page.request.get('/api/views')).json()) as { views: unknown[] }
  expect(views).toEqual([expect.objectContaining({ list: 'orders', name: 'Paid', search: 'status=paid', total: 2 })])
  expect(operator.presses).toBeLessThanOrEqual(36)
})
