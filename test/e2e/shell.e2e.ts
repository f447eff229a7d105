import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectLive, expectToast, liveStatus, test } from './support/harness.ts'

const places = [
  ['Dashboard', '/', 'Analytics Dashboard'],
  ['User Management', '/users', 'User Management'],
  ['Orders', '/orders', 'Order Management'],
  ['Reconciliation', '/reconciliation', 'Reconciliation'],
  ['Token Management', '/tokens', 'Token Management'],
  ['Transactions', '/transactions', 'Transaction Monitoring'],
  ['KYC Reviews', '/kyc', 'KYC Management'],
  ['KYC Webhooks', '/kyc-webhooks', 'KYC Webhooks'],
  ['Security Logs', '/security', 'Security & Audit Logs'],
  ['Approvals', '/approvals', 'Approvals'],
  ['Operators', '/operators', 'Operators'],
] as const

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the sidebar leads to every section, each with its title (product 3.1)', async ({ page }) => {
  await page.goto('/')
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links).toHaveText(places.map(([label]) => label))
  for (const [label, path, title] of places) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label, exact: true }).click()
    await expect(heading(page)).toHaveText(title)
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

test('exactly one entry is highlighted, by path segment (product 3.1)', async ({ page }) => {
  const current = page.locator('[aria-current=page]')
  for (const [path, label] of [
    ['/', 'Dashboard'],
    ['/users', 'User Management'],
    ['/users/m-1', 'User Management'],
    ['/kyc', 'KYC Reviews'],
    ['/kyc-webhooks', 'KYC Webhooks'],
    ['/orders/7', 'Orders'],
  ] as const) {
    await page.goto(path)
    await expect(current, path).toHaveText(label)
  }
  await page.goto('/usersabc')
  await expect(heading(page)).toBeVisible()
  await expect(current).toHaveCount(0)
})

test('any other path shows the card "404 Page Not Found" (product 3.1)', async ({ page }) => {
  await page.goto('/Users')
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the Dashboard' }).click()
  await expect(heading(page)).toHaveText('Analytics Dashboard')
})

test('/login while signed in leads to the dashboard (product 2.1)', async ({ page }) => {
  await page.goto('/login')
  await expect(heading(page)).toHaveText('Analytics Dashboard')
  await expect(page).toHaveURL(/\/$/)
})

test('the footer of the only operator says Admin User, Super Admin and Demo data (product 2.3, 13.4)', async ({
  page,
  server,
}) => {
  await server.sql(`UPDATE admins SET disabled_at = now() WHERE username <> 'grace'`)
  await page.goto('/')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar.getByRole('button', { name: 'Admin User Super Admin' })).toBeVisible()
  await expect(sidebar.getByText('Demo data')).toBeVisible()
  await server.sql(`UPDATE admins SET disabled_at = NULL`)
  await page.reload()
  await expect(sidebar.getByRole('button', { name: 'grace Super Admin' })).toBeVisible()
})

test('the sidebar folds by a key, and stays folded (product 3.1)', async ({ page }) => {
  await page.goto('/orders')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  const width = async () => (await sidebar.boundingBox())!.width
  const wide = await width()
  // The key is known once the search box is there.
  await expect(page.getByRole('combobox', { name: 'Search users, transactions' })).toBeVisible()
  await page.keyboard.press('[')
  await expect.poll(width).toBeLessThan(wide / 2)
  await page.reload()
  await expect(heading(page)).toHaveText('Order Management')
  expect(await width()).toBeLessThan(wide / 2)
  await sidebar.getByTitle('Account menu').click()
  await page.getByRole('menuitem', { name: 'Fold Sidebar' }).click()
  await expect.poll(width).toBe(wide)
})

test('the sidebar says what waits on each screen, as its list counts it (product 3.1)', async ({ page, operator }) => {
  const { total } = await (await operator.get('/api/kyc/verifications?status=pending')).json()
  await page.goto('/')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').filter({ hasText: 'KYC Reviews' })
  await expect(entry).toHaveText(`KYC Reviews${total.toLocaleString('en-US')} waiting`)
  await expectAccessible(page)
})

test('the header shows title, Live, search, theme toggle and notifications (product 3.2)', async ({ page }) => {
  await page.goto('/')
  await expectLive(page)
  await expect(page.getByPlaceholder('Search users, transactions...')).toBeVisible()
  await expect(page.getByRole('button', { name: /Switch to .* theme/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible()
})

test('"/" focuses the search box, also before it has loaded', async ({ page }) => {
  const pressed = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const holdUntil = (file: RegExp, moment: Promise<void>) =>
    page.route(file, async (route) => {
      await moment
      await route.continue()
    })
  await holdUntil(/\/assets\/search-box-/, pressed.promise)
  await holdUntil(/\/assets\/search-popup-/, entered.promise)
  await page.goto('/')
  await expect(heading(page)).toHaveText('Analytics Dashboard')
  await page.keyboard.press('/')
  pressed.resolve()
  await expect(page.getByPlaceholder('Search users, transactions...')).toBeFocused()
  await expect(page.getByPlaceholder('Search users, transactions...')).toHaveValue('')
  await page.keyboard.type('silva')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\?search=silva/)
  entered.resolve()
  await expect(heading(page)).toHaveText('User Management')
  const back = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')
  await page
    .getByRole('link', { name: /^View\b/ })
    .first()
    .click()
  await back.click()
  await expect(page).toHaveURL(/\/users\?search=silva$/)
})

test('what is typed behind "/" is kept until the search box has come', async ({ page }) => {
  const typed = Promise.withResolvers<void>()
  await page.route(/\/assets\/search-box-/, async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto('/')
  await expect(heading(page)).toHaveText('Analytics Dashboard')
  await page.keyboard.type('/b.weiss@pos', { delay: 5 })
  await page.keyboard.press('Backspace')
  typed.resolve()
  const box = page.getByPlaceholder('Search users, transactions...')
  await expect(box).toHaveValue('b.weiss@po')
  await expect(box).toBeFocused()
  await page.keyboard.type('st')
  await expect(box).toHaveValue('b.weiss@post')
})

test('what can’t be fetched can be asked for again, and the shell stays', async ({ page }) => {
  await page.addInitScript(() => {
    // React tells of every error that a boundary caught; these are the test's own.
    const tell = console.error
    console.error = (...words: unknown[]) => String(words[0]).includes('dynamically imported') || tell(...words)
  })
  await page.goto('/')
  await expect(heading(page)).toHaveText('Analytics Dashboard')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused()
  await page.evaluate(() => Object.assign(window, { isSame: true }))

  await page.route(/\/assets\/(members-page|toaster|account-menu)-/, (route) => route.abort())
  const account = page.getByRole('button', { name: /Super Admin/ })
  await account.click()
  await expect(account).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'User Management' }).click()
  const retry = page.getByRole('button', { name: 'Try Again' })
  await expect(page.getByText('This page could not be loaded')).toBeVisible()
  await retry.click()
  await expect(page.getByRole('button', { name: 'Reload the Console' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(heading(page)).toHaveText('Analytics Dashboard')

  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)

  await page.unroute(/\/assets\/(members-page|toaster|account-menu)-/)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'User Management' }).click()
  // A browser may keep a failed fetch until the page is reloaded.
  const reload = page.getByRole('button', { name: 'Reload the Console' })
  await expect(reload.or(page.getByRole('button', { name: 'Refresh' }))).toBeVisible()
  if (await reload.isVisible()) await reload.click()
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await account.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectToast(page, 'Refreshed')
  // Escape is the dialog's, though the toast came later.
  await page
    .getByRole('button', { name: /^Ban\b/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'Refresh', includeHidden: true }).dispatchEvent('click')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectToast(page, 'Refreshed')
})

test.describe('the Live dot is true (product 3.4)', () => {
  test('Offline while the browser is, Live again after', async ({ page, context }) => {
    await page.goto('/')
    await expectLive(page)
    await context.setOffline(true)
    await expect(liveStatus(page)).toHaveText(/^Offline\. Data from \d\d:\d\d$/)
    await context.setOffline(false)
    await expectLive(page)
  })

  test('Reconnecting while the server does not answer', async ({ page }) => {
    await page.route('**/api/live', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('banner').getByRole('status')).toHaveText('Reconnecting')
    await page.unroute('**/api/live')
    await expectLive(page)
  })
})

test('below 768 px the sidebar is a drawer that works by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/')
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).press('Enter')
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  await page.keyboard.press('Enter')
  await menu.getByRole('button', { name: 'Close menu' }).click()
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  await page.keyboard.press('Enter')
  await menu.getByRole('link', { name: 'User Management' }).press('Enter')
  await expect(heading(page)).toHaveText('User Management')
  await expect(menu).toHaveCount(0)
})

test('the shell is accessible, wide, folded and narrow', async ({ page }) => {
  // A page with little of its own.
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Search users, transactions' })).toBeAttached()
  for (const width of [375, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await page.getByRole('button', { name: /Super Admin/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
})
