import { randomBytes, createHash } from 'node:crypto'
import type { Page, Request } from '@playwright/test'
import type { Role } from '#contract/permissions.ts'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { findLayoutFaults } from './support/layout-faults.ts'
import { newWord } from './support/members.ts'
import { openScreen } from './support/screens.ts'

/** Adds an operator of a role who is signed in, or has been. Returns the cookie of the session. */
async function addOperator(server: ConsoleServer, username: string, role: Role) {
  const token = randomBytes(32).toString('base64url')
  await server.sql(
    `INSERT INTO admins (username, password_hash, role) SELECT $1, password_hash, $2 FROM admins WHERE username = 'ada'
     ON CONFLICT DO NOTHING`,
    [username, role],
  )
  await server.sql(
    `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
     SELECT $1, id, '127.0.0.1', 'tests' FROM admins WHERE username = $2`,
    [createHash('sha256').update(token).digest(), username],
  )
  return token
}

/** Makes the page that of an operator with a role. */
async function signInAs(page: Page, server: ConsoleServer, role: Role) {
  const value = await addOperator(server, `e2e-${role}`, role)
  await page.context().clearCookies()
  const { hostname: domain } = new URL(server.url)
  await page.context().addCookies([{ name: 'sid', value, domain, path: '/', httpOnly: true, sameSite: 'Strict' }])
}

const row = (page: Page, username: string) =>
  page
    .getByRole('region', { name: 'Operators' })
    .getByRole('row')
    .filter({ has: page.locator(`bdi[title="${username}"]`) })
async function choose(page: Page, username: string, action: string) {
  await page.getByRole('button', { name: `Actions of ${username}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link')

test('an operator is invited by a link, and sets a password with it (product 2.7)', async ({
  page,
  browser,
  server,
}) => {
  await page.goto('/operators')
  const name = `vera-${newWord()}`
  await page.getByRole('button', { name: 'Invite Operator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill(name)
  await dialog.getByLabel('Role').selectOption('Viewer')
  await dialog.getByRole('button', { name: 'Invite' }).press('Enter')
  const link = await page.getByRole('dialog').locator('code').textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, name)).toContainText('Invited')

  const other = await browser.newPage({ baseURL: server.url })
  await other.goto(new URL(link!).pathname)
  await other.getByLabel('Password', { exact: true }).fill('a fine long sentence of mine')
  await other.getByLabel('Password again').fill('something else altogether')
  await other.getByRole('button', { name: 'Set Password' }).click()
  await expect(other.getByRole('alert')).toHaveText('The two passwords are not the same.')
  await expectAccessible(other)
  for (const label of ['Password', 'Password again'])
    await other.getByLabel(label, { exact: true }).fill('a fine long sentence of mine')
  await other.getByRole('button', { name: 'Set Password' }).click()
  await expect(other.getByText(`Sign in with the username ${name}`)).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Sign in' }).click()
  await other.getByLabel('Username').fill(name)
  await other.getByLabel('Password', { exact: true }).fill('a fine long sentence of mine')
  await other.getByRole('button', { name: 'Sign In' }).click()
  await expect(other.getByRole('button', { name: `${name} Viewer` })).toBeVisible()
  await other.close()
  await expect(row(page, name)).toContainText('Active')
})

test('an operator leads to what the account did (product 5.14)', async ({ page, server, operator }) => {
  await addOperator(server, 'e2e-actor', 'viewer')
  await operator.post('/api/operators', { data: { username: 'e2e-newcomer', role: 'viewer' } })
  await page.goto('/operators')
  await expect(row(page, 'e2e-newcomer').getByRole('link', { name: /Admin Actions/ })).toHaveCount(0)
  await expect(row(page, 'e2e-actor').getByRole('link', { name: /Admin Actions/ })).toHaveCount(0)
  await row(page, 'joan').getByRole('link', { name: 'Invited operator, Admin Actions of joan' }).press('Enter')
  await expect(page).toHaveURL('/security?tab=actions&search=joan')
  await expect(page.getByRole('row').filter({ hasText: 'Invited operator' }).first()).toContainText('joan')
})

test('disabling an operator signs them out at once (product 2.7)', async ({ page, browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const other = await context.newPage()
  await signInAs(other, server, 'reviewer')
  await other.goto('/users')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('User Management')
  await page.goto('/operators')
  await choose(page, 'e2e-reviewer', 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Required')).toBeVisible()
  await page.getByLabel('Reason').fill('Has left')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'Operator disabled', 'e2e-reviewer')
  await expect(row(page, 'e2e-reviewer')).toContainText('Disabled')
  await expect(other.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await context.close()
  await choose(page, 'e2e-reviewer', 'Enable')
  await page.getByLabel('Reason').fill('Is back')
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await expect(row(page, 'e2e-reviewer')).toContainText('Active')
})

test('disabling an operator names the invitations that it ends (product 2.7)', async ({ page, server }) => {
  await addOperator(server, 'e2e-second', 'super_admin')
  await server.sql(
    `INSERT INTO admins (username, role, invited_by) SELECT 'backup.ops', 'super_admin', id FROM admins WHERE username = $1
     ON CONFLICT DO NOTHING`,
    ['e2e-second'],
  )
  await server.sql(
    `INSERT INTO operator_invitations (admin_id, code_hash, expires_at)
     SELECT id, $1, now() + interval '1 hour' FROM admins WHERE username = 'backup.ops'`,
    [randomBytes(32)],
  )
  await page.goto('/operators')
  await expect(row(page, 'backup.ops')).toContainText('Invited by e2e-second')
  await choose(page, 'e2e-second', 'Disable')
  await expect(page.getByRole('dialog')).toContainText('Also ends 1 invitation: backup.ops')
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('The laptop was stolen')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(row(page, 'backup.ops')).toContainText('the link has ended')
})

test('factors that were lost are reset, with a reason (product 2.8)', async ({ page, server }) => {
  await addOperator(server, 'e2e-locked-out', 'finance')
  await server.sql(
    `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step)
     SELECT id, 'totp', 'Phone', '', '', 0 FROM admins WHERE username = 'e2e-locked-out'`,
  )
  await page.goto('/operators')
  await choose(page, 'e2e-locked-out', 'Reset Factors')
  await expect(page.getByRole('dialog')).toContainText('The password alone signs in then')
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('Has lost the phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Factors' }).click()
  await expectToast(page, 'Second factors reset', 'e2e-locked-out')
  await page.getByRole('button', { name: 'Actions of e2e-locked-out' }).click()
  await expect(page.getByRole('menuitem', { name: 'Change Role' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Reset Factors' })).toHaveCount(0)
})

test('operators with the longest names fit every window', async ({ page, server }) => {
  const longest = 'W'.repeat(64)
  await addOperator(server, longest, 'viewer')
  await server.sql('UPDATE admins SET invited_by = id WHERE username = $1', [longest])
  await page.goto('/operators')
  await expect(row(page, longest)).toBeVisible()
  for (const width of [375, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => findLayoutFaults(page), { message: `at ${width} px` }).toEqual([])
  }
  expect((await row(page, longest).boundingBox())!.height).toBeLessThan(80)
  await server.sql('DELETE FROM sessions WHERE admin_id = (SELECT id FROM admins WHERE username = $1)', [longest])
  await server.sql('DELETE FROM admins WHERE username = $1', [longest])
})

test('the own row has no actions, and axe finds nothing on Operators and its dialogs', async ({ page, server }) => {
  await addOperator(server, 'e2e-viewer', 'viewer')
  await page.goto('/operators')
  await expect(row(page, 'grace')).toContainText('You')
  await expect(row(page, 'grace').getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
  await choose(page, 'e2e-viewer', 'Change Role')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Actions of e2e-viewer' })).toBeFocused()
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test.describe('a console of a role', () => {
  const refused: string[] = []
  test.beforeEach(({ page }) => {
    refused.length = 0
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
  })
  test.afterEach(() => expect(refused).toEqual([]))

  for (const role of ['viewer', 'reviewer', 'finance'] as const)
    test(`the screens of a ${role} make no call that the role does not allow (product 2.6)`, async ({
      page,
      server,
    }) => {
      await signInAs(page, server, role)
      const unanswered = new Set<Request>()
      page.on('request', (request) => {
        if (!request.url().endsWith('/api/live')) unanswered.add(request)
      })
      page.on('requestfinished', (request) => unanswered.delete(request))
      page.on('requestfailed', (request) => unanswered.delete(request))
      const expectLoaded = async () => {
        await expect(page.getByText('Loading...')).toHaveCount(0)
        await expect.poll(() => unanswered.size).toBe(0)
      }
      await openScreen(page, '/')
      await expectLoaded()
      const screens = await sidebar(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
      for (const path of screens) {
        await page.locator(`nav a[href="${path}"]`).first().click()
        await expect(page).toHaveURL(path)
        await expectLoaded()
      }
      for (const path of ['/account', '/approvals', '/operators', '/security', '/users', '/orders']) {
        if (screens.includes(path)) continue
        await openScreen(page, path)
        await expectLoaded()
      }
      if (role === 'reviewer') return
      await openScreen(page, '/orders')
      await page.getByRole('table').getByRole('link').first().click()
      await expect(page).toHaveURL(/peek=/)
      await expectLoaded()
      await openScreen(page, `/orders/${new URL(page.url()).searchParams.get('peek')}`)
      await expectLoaded()
    })

  test('a viewer is offered no change, and no Operators (product 2.6)', async ({ page, server }) => {
    await signInAs(page, server, 'viewer')
    await page.goto('/users')
    await expect(page.getByRole('button', { name: 'e2e-viewer Viewer' })).toBeVisible()
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Ban / })).toHaveCount(0)
    await expect(sidebar(page).filter({ hasText: 'Operators' })).toHaveCount(0)
    await page.goto('/orders')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark Paid' })).toHaveCount(0)
    await page.goto('/kyc?tab=step3')
    await expect(page.getByRole('table').getByText('Uploaded').first()).toBeVisible()
  })

  test('a screen that the role may not view names the permission (product 2.6)', async ({ page, server }) => {
    await signInAs(page, server, 'finance')
    await page.goto('/users')
    await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible()
    await expect(page.getByText('“View members and their wallets” (members.view)')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to Dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
    await expect(page.getByRole('heading', { name: 'Recent Users' })).toHaveCount(0)
    await expect(sidebar(page)).toHaveText([
      'Dashboard',
      'Orders',
      'Reconciliation',
      'Token Management',
      'Transactions',
      'Approvals',
    ])
  })

  test('the search offers a role only what it may view and do (product 3.7)', async ({ page, server }) => {
    await signInAs(page, server, 'finance')
    await page.goto('/orders')
    const box = page.getByRole('combobox', { name: /Search users/ })
    await box.click()
    const options = page.getByRole('listbox', { name: 'Search results' })
    await expect(options.getByRole('option', { name: 'Account' })).toBeVisible()
    for (const name of ['Start KYC Review', 'Add Token', 'Export Report'])
      await expect(options.getByRole('option', { name })).toHaveCount(0)
    await box.fill('go to')
    await expect(options.getByRole('option', { name: 'Reconciliation', exact: true })).toBeVisible()
    for (const name of ['User Management', 'Operators'])
      await expect(options.getByRole('option', { name })).toHaveCount(0)
  })

  test('a link to a screen that the role may not view is plain text (product 2.6)', async ({ page, server }) => {
    await signInAs(page, server, 'finance')
    await page.goto('/transactions?tab=platform')
    await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
    await expect(page.getByRole('table').locator('a[href^="/users/"]')).toHaveCount(0)
  })
})
