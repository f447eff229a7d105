import { expect, expectToast, test } from './support/harness.ts'

test.use({ isSignedIn: false })

test('after logout the admin is at /login, and Back shows nothing of before (product 2.1)', async ({
  page,
  server,
}) => {
  await page.goto('/login')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
  await page.evaluate(() => localStorage.setItem('document-token:x', '{}'))
  await page.getByRole('button', { name: /Super Admin/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('document-token:x'))).toBeNull()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  const rows = await server.sql("SELECT 1 FROM audit_log WHERE action = 'logout'")
  expect(rows.length).toBeGreaterThan(0)
})

test('a session that has ended says Unauthorized and leads to /login after 500 ms (product 9.2, 14)', async ({
  page,
  server,
}) => {
  await page.goto('/users')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Management')
  await page.evaluate(() => {
    const seen: Record<string, number> = {}
    const look = (name: string, text: string) => {
      if (document.body.textContent?.includes(text)) seen[name] ??= performance.now()
    }
    new MutationObserver(() => {
      look('notice', 'You are logged out. Redirecting to login...')
      look('login', 'Super Admin Login')
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { seen })
  })
  await server.sql("DELETE FROM sessions WHERE admin_id = (SELECT id FROM admins WHERE username = 'ada')")
  // The next call is refused; the event stream may tell of the end a moment sooner.
  void page
    .getByRole('button', { name: 'Refresh' })
    .click({ timeout: 3000 })
    .catch(() => {})
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await expectToast(page, 'Unauthorized', 'You are logged out. Redirecting to login...')
  const seen = await page.evaluate(() => (window as unknown as { seen: { notice: number; login: number } }).seen)
  expect(seen.login - seen.notice).toBeGreaterThan(400)
  expect(seen.login - seen.notice).toBeLessThan(1500)
  await expect(page).toHaveURL(/\/login$/)
})
