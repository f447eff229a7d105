import { admin, expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ isSignedIn: false })

test('signed out, every path shows the Super Admin Login form (product 2.1)', async ({ page }) => {
  for (const path of ['/login', '/', '/users', '/users/m-1', '/orders', '/nowhere'])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
      await expect(page.getByLabel('Username')).toBeVisible()
      await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByRole('navigation')).toHaveCount(0)
    })
})

test('both username and password are required (product 9.5)', async ({ page }) => {
  const message = page.getByText('Validation error: Please enter both username and password.')
  let calls = 0
  page.on('request', (request) => (calls += request.url().endsWith('/api/auth/login') ? 1 : 0))
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(message).toBeVisible()
  await expect(page.getByLabel('Username')).toBeFocused()

  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Username').press('Enter')
  await expect(message).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  expect(calls).toBe(0)
})

test('a wrong password shows "Login failed" and keeps the username (product 9.3)', async ({ page, server }) => {
  const countFailed = async () => (await server.sql("SELECT 1 FROM audit_log WHERE action = 'login_failed'")).length
  const before = await countFailed()
  await page.goto('/login')
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill('not the password of anyone')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await expect(page.getByLabel('Username')).toHaveValue(admin.username)
  await expect(page.getByText('Unauthorized')).toHaveCount(0)
  expect(await countFailed()).toBe(before + 1)
})

async function signIn(page: import('@playwright/test').Page) {
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

test('signing in at /login leads to the dashboard (product 2.1)', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
})

test('signing in elsewhere shows that path, with its filters (product 2.1)', async ({ page }) => {
  await page.goto('/users?status=banned')
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'User Management' })).toBeVisible()
  await expect(page).toHaveURL(/\/users\?status=banned$/)
})

test('a 401 of the current-user call means nobody is signed in and raises no notice (product 2.3)', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('document-token:left-behind', '{}'))
  const reply = page.waitForResponse((response) => response.url().endsWith('/api/auth/user'))
  await page.goto('/')
  expect((await reply).status()).toBe(401)
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await expect(page.getByText('You are logged out')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('document-token:left-behind'))).toBeNull()
})

test('the login form works by keyboard alone', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type(admin.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' })).toBeVisible()
})
