import { expect, expectToast, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { box, commands, group, popup, search, status } from './support/search.ts'

test('nothing typed offers every action, and typed words find screens too (product 3.7)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/security')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const opener = page.getByRole('button', { name: /Super Admin/ })
  await opener.focus()
  await search(page, '')
  await expect(group(page, 'Actions').getByRole('option')).toHaveText([
    'Start KYC Review',
    'Add Token',
    'Export Report',
    'Account',
    'Switch to Dark Theme',
    "Use the System's Theme",
    'Sign Out',
  ])
  await box(page).fill('go to')
  await expect(commands(page)).toContainText([
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
  ])
  const chosen = popup(page).getByRole('option', { selected: true })
  await expect(chosen).toHaveText('Dashboard')
  for (const [key, label] of [
    ['ArrowDown', 'User Management'],
    ['End', /./],
    ['Home', 'Dashboard'],
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

test('it offers what waits, and what the buttons in sight would do (product 3.7)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await expect(page.getByRole('button', { name: 'Ban User' })).toBeVisible()
  await search(page, '')
  const changes = group(page, 'On this page').getByRole('option')
  await expect(changes.filter({ hasText: 'Ban User' })).toBeVisible()
  const bell = page.getByRole('button', { name: /^Notifications, / })
  const noticed = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0])
  await expect(group(page, 'Waiting').getByRole('option')).toHaveCount(noticed)

  await box(page).fill('ban us')
  await expect(changes).toHaveText(['Ban User'])
  await changes.click()
  await expect(page.getByRole('dialog', { name: /Ban/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto(`/users?search=${member.email}&peek=m-${member.id}`)
  const peek = page.getByRole('complementary', { name: /^Peek: / })
  await expect(peek.getByRole('button', { name: 'Ban User' })).toBeEnabled()
  await search(page, 'ban us')
  await expect(changes).toHaveText(/^Ban User\s*B$/)
})

test('a saved view is found by its name (product 3.7, 4.7)', async ({ page, server }) => {
  const name = `Ελλάδα ${newWord()}`
  await server.sql(
    `INSERT INTO list_views (owner_id, list, name, search, is_shared)
     SELECT id, 'platformTransactions', $1, 'status=failed', false FROM admins WHERE username = 'grace'`,
    [name],
  )
  await page.goto('/security')
  await search(page, name.slice(-8))
  await commands(page).filter({ hasText: name }).click()
  await expect(page).toHaveURL('/transactions?tab=platform&status=failed')
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
