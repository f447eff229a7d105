import type { Page } from '@playwright/test'
import type { Notice } from '#contract/schemas/notices.ts'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectLive, test } from './support/harness.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const popover = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const links = (page: Page) => popover(page).getByRole('link')
const chip = (page: Page) => page.getByRole('button', { name: 'Remove filter: Expiring within 24 hours' })

/** A critical event as the server writes one; open consoles hear of it. */
async function raiseCritical(server: ConsoleServer) {
  const [event] = await server.sql<{ id: string }>(
    `INSERT INTO security_events (severity, event_type, description) VALUES ('critical', 'test', 'A drill')
     RETURNING id::text, pg_notify('changes', 'security')`,
  )
  return event!.id
}

test("each of the demo's seven notices leads to a list of just as many (product 3.6, 13.4)", async ({
  page,
  operator,
}) => {
  const reply = (await (await operator.get('/api/notices')).json()) as { notices: Notice[] }
  const counts = new Map(reply.notices.map(({ kind, count }) => [kind, count]))
  const kinds = [
    'critical_events',
    'failed_submissions',
    'expiring_orders',
    'overdue_lines',
    'refunds_due',
    'statement_differences',
    'statement_gaps',
  ] as const
  const [critical, failed, expiring, overdue, refunds, differences, gaps] = kinds.map((kind) => counts.get(kind) ?? 0)
  await page.goto('/')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 7 notices')
  await expect(bell(page)).toHaveText('7')
  await bell(page).click()
  await expect(links(page)).toHaveText([
    new RegExp(`^${critical} unresolved critical events?Security Logs`),
    new RegExp(`^${failed} KYC submissions? failed to reach the providerKYC Webhooks`),
    new RegExp(`^${expiring} orders? expires? within 24 hoursOrders`),
    new RegExp(`^${overdue} bank lines? ha(s|ve) waited for more than two daysReconciliation`),
    new RegExp(`^${refunds} payments? (is|are) to be paid backReconciliation`),
    new RegExp(`^${differences} bank statements? do(es)? not add upReconciliation`),
    new RegExp(`^${gaps} bank statements? (is|are) missingReconciliation`),
  ])

  await links(page).nth(0).click()
  await expect(page).toHaveURL('/security?status=critical')
  await expect(popover(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByText(`of ${critical} entries`)).toBeVisible()

  await bell(page).click()
  await links(page).nth(2).click()
  await expect(page).toHaveURL('/orders?expiring=24h')
  await expect(page.getByText(`Showing 1 to ${expiring} of ${expiring} entries`)).toBeVisible()

  await bell(page).click()
  await links(page).nth(1).click()
  await expect(page).toHaveURL('/kyc-webhooks?unreached=24h')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('KYC Webhooks')
  expect(await (await operator.get('/api/kyc/webhook-logs?unreached=24h')).json()).toMatchObject({ total: failed })

  for (const [n, attention, tab, list, total] of [
    [3, 'overdue', 'lines', 'Bank lines', overdue],
    [4, 'refund_due', 'lines', 'Bank lines', refunds],
    [5, 'difference', 'statements', 'Bank statements', differences],
    [6, 'gap', 'statements', 'Bank statements', gaps],
  ] as const) {
    await bell(page).click()
    await links(page).nth(n).click()
    await expect(page).toHaveURL(new RegExp(`^[^?]*/reconciliation\\?tab=${tab}&attention=${attention}$`))
    const rows = page.getByRole('region', { name: list }).getByRole('row')
    await expect(rows.filter({ has: page.getByRole('cell') })).toHaveCount(total!)
  }
})

test('the list of expiring orders can be searched, filtered and widened (product 3.6)', async ({ page }) => {
  await page.goto('/orders?expiring=24h')
  const rows = page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: /^View / })
  await expect(rows).not.toHaveCount(0)
  const expiring = await rows.count()
  expect(expiring).toBeLessThan(50)
  await bell(page).click()
  await expect(links(page).first()).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Status filter' }).selectOption('Paid')
  await expect(page.getByText('No data available')).toBeVisible()
  await expect(page).toHaveURL('/orders?expiring=24h&status=paid')
  await page.reload()
  await expect(page.getByText('No data available')).toBeVisible()
  await page.goBack()
  await expect(rows).toHaveCount(expiring)
  await chip(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(rows).toHaveCount(50)
  await expect(chip(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('notices that could not be loaded say so and can be loaded again (product 3.6, 9.3)', async ({ page }) => {
  const answered = Promise.withResolvers<void>()
  let isDown = true
  await page.route('/api/notices', async (route) => {
    await answered.promise
    if (!isDown)
      return route.fulfill({
        json: { notices: [{ kind: 'expiring_orders', count: 1 }], mentions: [], queues: { cases: 0, lines: 0 } },
      })
    await route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_unavailable' } })
  })
  await page.goto('/nowhere')
  await bell(page).click()
  await expect(popover(page).getByText('Loading...')).toBeAttached()
  answered.resolve()
  await expect(popover(page).getByRole('alert')).toContainText('The notices could not be loadedThe database is away')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  isDown = false
  await popover(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(links(page)).toHaveText([/^1 order expires within 24 hours/])
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 notice')
  await page.keyboard.press('Tab')
  await expect(links(page)).toBeFocused()
})

test.describe('on an empty platform', () => {
  test.use({ data: 'empty' })
  test.afterEach(({ server }) => server.sql('DELETE FROM security_events'))

  test('a critical event comes and goes live in the notices (product 3.4, 3.6)', async ({ page, server, operator }) => {
    await page.goto('/nowhere')
    await expectLive(page)
    await expect(bell(page)).toHaveAccessibleName('Notifications')
    await expect(bell(page)).toHaveText('')
    await bell(page).click()
    await expect(popover(page)).toContainText('All clear')
    const id = await raiseCritical(server)
    await expect(links(page)).toHaveText([/^1 unresolved critical event/])
    await page.keyboard.press('Escape')
    await expect(bell(page)).toHaveAccessibleName('Notifications, 1 notice')
    await operator.post(`/api/security/events/${id}/resolve`, { data: { note: 'A drill' } })
    await expect(bell(page)).toHaveAccessibleName('Notifications')
    await expect(bell(page)).toHaveText('')
  })

  test('the notices open, close and lead on by keyboard alone (product 3.8)', async ({ page, server }) => {
    await raiseCritical(server)
    await page.goto('/nowhere')
    await expect(bell(page)).toHaveAccessibleName('Notifications, 1 notice')
    await bell(page).focus()
    await page.keyboard.press('Enter')
    await expect(links(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(popover(page)).toHaveCount(0)
    await expect(bell(page)).toBeFocused()
    await page.keyboard.press('Space')
    await expect(links(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/security?status=critical')
    await expect(page.getByRole('main')).toBeFocused()
  })
})
