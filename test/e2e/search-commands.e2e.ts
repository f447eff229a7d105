import { expect, expectToast, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { box, commands, group, popup, search, status } from './support/search.ts'

test('with nothing typed it offers every screen and action, and narrows them (product 3.7)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/kyc-webhooks')
  const opener = page.getByRole('button', { name: /Super Admin/ })
  await opener.focus()
  await search(page, '')
  await expect(commands(page)).toHaveText([
    'Dashboard',
    'User Management',
    'Orders',
    'Reconciliation',
    'Token Management',
    'Transactions',
    'KYC Reviews',
    'KYC Webhooks',
    'Security Logs',
    'Approvals',
    'Operators',
    'Start KYC Review',
    'Add Token',
    'Export Report',
    'Account',
    'Switch to Dark Theme',
    "Use the System's Theme",
    'Sign Out',
  ])
  const chosen = popup(page).getByRole('option', { selected: true })
  for (const [key, label] of [
    ['ArrowUp', 'Sign Out'],
    ['ArrowDown', 'Dashboard'],
    ['End', 'Sign Out'],
    ['Home', 'Dashboard'],
    ['ArrowDown', 'User Management'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(chosen).toHaveText(label)
  }
  await page.keyboard.press('Escape')
  await expect(popup(page)).toHaveCount(0)
  await expect(opener).toBeFocused()

  await search(page, 'dark')
  await expect(status(page)).toHaveText('Nothing found for “dark”')
  await expect(chosen).toHaveText('Switch to Dark Theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(opener).toBeFocused()

  await search(page, 'export')
  const download = page.waitForEvent('download')
  await popup(page).getByRole('option', { name: 'Export Report' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  await expectToast(page, 'Report downloaded')

  await search(page, 'review')
  await popup(page).getByRole('option', { name: 'Start KYC Review' }).click()
  await expect(page).toHaveURL(/\/kyc\?(.*&)?review=/)

  // The session is the other tests' too.
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 204 }))
  await page.goto('/users')
  await search(page, 'sign out')
  await popup(page).getByRole('option', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
})

test('the parts of screens, and what is done to rows, are found by their words (product 3.7)', async ({ page }) => {
  await page.goto('/kyc-webhooks')
  await search(page, '')
  for (const [typed, label] of [
    ['approval', 'Approval Rules'],
    ['treasury', 'Treasury'],
    ['endpoints', 'Endpoints'],
    ['delivery', 'Delivery Log'],
    ['policy', 'Reconciliation Policy'],
    ['verify', 'Verify the Audit Log'],
    ['mark paid', 'Mark Paid or Cancel Orders'],
    ['import', 'Import Statement'],
    ['statement', 'Bank Statements'],
  ] as const) {
    await box(page).fill(typed)
    await expect(commands(page).filter({ hasText: label }).first()).toBeVisible()
  }
  await commands(page).filter({ hasText: 'Bank Statements' }).click()
  await expect(page).toHaveURL('/reconciliation?tab=statements')
})

test('a named screen or action comes before members that contain its letters', async ({ page, server }) => {
  await importMember(server, { legalFirstName: 'Samir', legalLastName: 'Alhaddad' })
  const named = await importMember(server, { legalFirstName: 'Signe', legalLastName: newWord() })
  await page.goto('/kyc-webhooks')
  await search(page, 'add')
  await expect(group(page, 'Members').getByRole('option').first()).toBeVisible()
  await expect(popup(page).getByRole('option', { selected: true })).toHaveText('Add Token')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Add')
  await page.keyboard.press('Escape')
  // The dialog gives the focus back a moment after it is gone.
  await expect(page.getByRole('main')).toBeFocused()
  // What ends the session never comes first while anything else is found.
  await search(page, 'sign')
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(popup(page).getByRole('option', { selected: true })).toContainText(named.name)
})
