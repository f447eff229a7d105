import type { Locator, Page } from '@playwright/test'
import { expect, expectLive, expectToast, test } from './support/harness.ts'
import { findMemberWithDocuments } from './support/members.ts'

interface Control {
  name: string
  path: (documentsOf: string) => string
  press: (page: Page) => Locator
  comes: (page: Page) => Locator
  isNarrow?: boolean
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const controls: Control[] = [
  { name: 'ban', path: () => '/users?status=active', press: (page) => button(page, /^Ban /), comes: dialog },
  { name: 'unban', path: () => '/users?status=banned', press: (page) => button(page, /^Unban /), comes: dialog },
  {
    name: 'account menu',
    path: () => '/tokens',
    press: (page) => button(page, /Super Admin/),
    comes: (page) => page.getByRole('menu'),
  },
  { name: 'notices', path: () => '/tokens', press: (page) => button(page, /^Notifications,/), comes: dialog },
  { name: 'drawer', path: () => '/tokens', press: (page) => button(page, 'Open menu'), comes: dialog, isNarrow: true },
  { name: 'add token', path: () => '/tokens', press: (page) => button(page, 'Add Token'), comes: dialog },
  {
    name: 'mark paid',
    path: () => '/orders?status=waiting_payment',
    press: (page) => button(page, /^Mark .*[Pp]aid/),
    comes: dialog,
  },
  { name: 'resolve', path: () => '/security', press: (page) => button(page, /^Resolve/), comes: dialog },
  {
    name: 'KYC review',
    path: () => '/kyc?tab=verifications&status=pending',
    press: (page) => button(page, /^Approve /),
    comes: dialog,
  },
  {
    name: 'KYC decision',
    path: (id) => `/users/${id}?tab=kyc`,
    press: (page) => button(page, 'Reject'),
    comes: dialog,
  },
  {
    name: 'document viewer',
    path: (id) => `/users/${id}?tab=kyc`,
    press: (page) => button(page, 'View Identity front'),
    comes: dialog,
  },
]

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    // The browser is never idle, so that each part is fetched when it is needed.
    window.requestIdleCallback = () => 0
    // React reports every error that a boundary catches; these are the test's own.
    const report = console.error
    console.error = (...words: unknown[]) => String(words[0]).includes('dynamically imported') || report(...words)
  })
})

for (const { name, path, press, comes, isNarrow } of controls)
  test(`${name}: a part that can't be fetched says so, and the next press works`, async ({ page, server }) => {
    if (isNarrow) await page.setViewportSize({ width: 375, height: 812 })
    const { id } = await findMemberWithDocuments(server)
    await page.goto(path(id))
    await expect(press(page)).toBeVisible()
    await page.keyboard.press('Shift')
    await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeAttached()
    await page.route('**/assets/**', (route) => route.abort())
    await press(page).click()
    await expectToast(page, 'Could not be loaded')
    await expect(comes(page)).toHaveCount(0)
    await page.unroute('**/assets/**')
    await press(page).click()
    await expect(comes(page)).toBeVisible()
  })

test('a press on a part whose prefetch then fails says so and keeps the button', async ({ page }) => {
  const bell = button(page, /^Notifications,/)
  await page.goto('/tokens')
  await expect(bell).toBeVisible()
  await page.keyboard.press('Shift')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeAttached()
  const failed = Promise.withResolvers<void>()
  await page.route('**/assets/**', async (route) => {
    await failed.promise
    await route.abort()
  })
  const requested = page.waitForRequest('**/assets/**')
  await bell.hover()
  await requested
  await bell.click()
  failed.resolve()
  await expectToast(page, 'Could not be loaded')
  await expect(bell).toBeVisible()
})

test('an open tab of another build offers to reload and keeps what was typed', async ({ page }) => {
  await page.route('**/tokens', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/(build&quot;:&quot;)[0-9a-f]+/, '$1000000000000')
    await route.fulfill({ response, body })
  })
  await page.goto('/tokens')
  const reload = page.getByRole('button', { name: 'A new version is there: reload' })
  await expect(reload).toBeVisible()
  await page.unroute('**/tokens')
  await reload.click()
  await expectLive(page)
  await expect(reload).toHaveCount(0)
})

test('a page of a list that cannot be loaded leaves the rows and offers to try again', async ({ page }) => {
  await page.goto('/users')
  const row = page.getByRole('table').getByRole('row').nth(1)
  const first = await row.getByRole('link').first().textContent()
  await page.route('**/api/users/?*page=2*', (route) => route.abort())
  await page.getByRole('button', { name: /Next/ }).click()
  await expect(page.getByText('Shown are the rows from before.')).toBeVisible()
  await expect(row).toContainText(first!)
  await expect(page.getByText(/^Showing 1 to 50 of /)).toBeVisible()
  await expect(page.getByText(/^Page 1 of /)).toBeVisible()
  await expect(page.getByRole('rowgroup').last()).toHaveCSS('opacity', '1')
  await page.unroute('**/api/users/?*page=2*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('Shown are the rows from before.')).toHaveCount(0)
  await expect(row).not.toContainText(first!)
})

test('offline, a change is off and says why, and comes back with the connection', async ({ page, context }) => {
  await page.goto('/users?status=active')
  await button(page, /^Ban /).click()
  const send = dialog(page).getByRole('button', { name: 'Ban User' })
  await dialog(page).getByLabel('Reason').fill('Two passports')
  await context.setOffline(true)
  await expect(send).toBeDisabled()
  await expect(dialog(page).getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(send).toBeEnabled()
})

const decisions = controls.filter(({ comes, name }) => comes === dialog && !/notices|drawer|viewer/.test(name))
test('offline, the button of each decision is off and says why', async ({ page, context, server }) => {
  const { id } = await findMemberWithDocuments(server)
  for (const { name, path, press } of decisions)
    await test.step(name, async () => {
      await page.goto(path(id))
      await expect(press(page)).toBeEnabled()
      await expectLive(page)
      await context.setOffline(true)
      await expect(press(page)).toBeDisabled()
      await expect(press(page)).toHaveAttribute('title', /^You are offline\./)
      await context.setOffline(false)
      await expect(press(page)).toBeEnabled()
    })
})

test("offline, a part that can't be fetched says so and offers no reload", async ({ page, context }) => {
  await page.goto('/tokens')
  await expect(button(page, /Super Admin/)).toBeVisible()
  await expectLive(page)
  await page.keyboard.press('Shift')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeAttached()
  await context.setOffline(true)
  await button(page, /Super Admin/).click()
  await expectToast(page, 'Could not be loaded')
  const notices = page.getByRole('region', { name: 'Notifications (F8)' })
  await expect(notices).toContainText('You are offline.')
  await expect(notices.getByRole('button', { name: 'Reload' })).toHaveCount(0)
  await context.setOffline(false)
  await button(page, /Super Admin/).click()
  await expect(page.getByRole('menu')).toBeVisible()
})

test('a reload that was offered online keeps the page once the connection is gone', async ({ page, context }) => {
  await page.goto('/tokens')
  await expect(button(page, /Super Admin/)).toBeVisible()
  await expectLive(page)
  await page.keyboard.press('Shift')
  const notices = page.getByRole('region', { name: 'Notifications (F8)' })
  await expect(notices).toBeAttached()
  await page.route('**/assets/**', (route) => route.abort())
  await button(page, /Super Admin/).click()
  const reload = notices.getByRole('button', { name: 'Reload' })
  await expect(reload).not.toHaveAttribute('aria-disabled')
  await context.setOffline(true)
  await reload.click()
  await expect(notices).toContainText('You are offline.')
  await expect(reload).toHaveCount(0)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await context.setOffline(false)
})

test('offline, a phone shows from when the data is under the header', async ({ page, context }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/orders')
  const status = page.getByRole('banner').getByText(/^Offline. Data from \d\d:\d\d$/)
  await expectLive(page)
  await context.setOffline(true)
  await expect(status).toBeVisible()
  const line = (await status.boundingBox())!
  expect(line.width).toBeGreaterThan(300)
  expect(line.y + line.height).toBeLessThanOrEqual((await page.getByRole('main').boundingBox())!.y)
  await context.setOffline(false)
  await expect(status).toHaveCount(0)
})
