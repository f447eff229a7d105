import { stopClock } from './support/clock.ts'
import { expect, expectToast, test } from './support/harness.ts'

test.use({ isSignedIn: false })

test('after logout the admin is at /login, and Back shows nothing of before (product 2.1)', async ({
  page,
  server,
}) => {
  const countLogouts = async () => (await server.sql("SELECT 1 FROM audit_log WHERE action = 'logout'")).length
  const before = await countLogouts()
  await page.goto('/login')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('seven grey herons at noon')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
  await page.evaluate(() => localStorage.setItem('document-token:x', '{}'))
  await page.getByRole('button', { name: /Super Admin/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('document-token:x'))).toBeNull()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  expect(await countLogouts()).toBe(before + 1)
})

test('a session that has ended says Unauthorized and leads to /login after 500 ms (product 9.2, 14)', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await page.goto('/users')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('seven grey herons at noon')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Management')
  // The first toast loads their code.
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectToast(page, 'Refreshed')
  await stopClock(page)
  await server.sql("DELETE FROM sessions WHERE admin_id = (SELECT id FROM admins WHERE username = 'ada')")
  // The next call is refused; the event stream may tell of the end sooner.
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectToast(page, 'Unauthorized', 'You are logged out. Redirecting to login...')
  await page.clock.runFor(499)
  await expect(page).toHaveURL(/\/users$/)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(/\/login$/)
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
})
