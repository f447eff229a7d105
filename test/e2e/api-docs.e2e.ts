import { expect, expectAccessible, setTheme, test } from './support/harness.ts'

test('an operator reads the API’s description from the account menu (product 10.2)', async ({ page }) => {
  await setTheme(page, 'dark')
  await page.goto('/nowhere')
  await page.getByRole('button', { name: /Super Admin/ }).click()
  await page.getByRole('menuitem', { name: 'API' }).click()
  await expect(page).toHaveURL('/api/docs')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('API')

  await page.getByText('/api/platform/v1/orders/{orderNumber}/complete', { exact: true }).click()
  const call = page
    .getByRole('group')
    .filter({ hasText: 'Idempotency-Key' })
    .filter({ hasText: 'orders/ORD-1042/complete' })
    .last()
  await expect(call).toContainText('curl -X POST "$CONSOLE/api/platform/v1/orders/ORD-1042/complete"')
  await expect(call.getByText('This order is waiting payment')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test('a link to one call or schema opens it, also from the contents (product 10.2)', async ({ page }) => {
  await page.goto('/api/docs#ordersSetStatus')
  await expect(page.getByRole('heading', { level: 4, name: /^Mark an order paid/ })).toBeVisible()
  const contents = page.getByRole('navigation', { name: 'Contents' })
  // The platform's calls come first, and the console's have members, too.
  await contents.getByText('Members', { exact: true }).first().click()
  await contents.getByRole('link', { name: 'Create or change a member' }).click()
  await expect(page.getByRole('heading', { level: 4, name: 'Create or change a member' })).toBeVisible()
})

test.describe('signed out', () => {
  test.use({ isSignedIn: false })

  test('a browser is told where to sign in (product 10.2)', async ({ page }) => {
    const reply = await page.goto('/api/docs')
    expect(reply?.status()).toBe(401)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  })
})
