import { createHash, randomBytes } from 'node:crypto'
import { expect, expectAccessible, setTheme, test } from './support/harness.ts'

test.use({ isSignedIn: false })

test('a sign-in link is looked at, used by its button and then spent', async ({ page, server, context }) => {
  await setTheme(page, 'dark')
  const code = randomBytes(32).toString('base64url')
  await server.sql(
    `INSERT INTO sign_in_links (admin_id, code_hash, expires_at)
     SELECT id, $1, now() + interval '15 minutes' FROM admins ORDER BY id LIMIT 1
     ON CONFLICT (admin_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [createHash('sha256').update(code).digest()],
  )
  const device = async () => (await context.cookies()).some(({ name }) => name === 'device')

  await page.goto(`/sign-in-link/${code}`)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  expect(await device()).toBe(false)

  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  expect(await device()).toBe(true)

  await page.goto(`/sign-in-link/${code}`)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
})
