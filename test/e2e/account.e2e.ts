import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { admin, expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'

test.use({ isSignedIn: false })

const nextPassword = 'a walk along the river at dusk'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1'

/** An operator of a test's own, so that no other test notices an ended session or a new password. */
async function createOperator(server: ConsoleServer) {
  const username = `mary-${randomBytes(3).toString('hex')}`
  await server.sql(
    `INSERT INTO admins (username, password_hash, role, last_sign_in_at)
     SELECT $1, password_hash, role, now() FROM admins WHERE username = $2`,
    [username, admin.username],
  )
  /** A session as a sign-in with this browser from this address makes it; its cookie. */
  async function openSession(userAgent: string, ipAddress: string, ago = '0 minutes') {
    const token = randomBytes(32).toString('base64url')
    await server.sql(
      `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent, created_at, last_active_at)
       SELECT $1, id, $3, $4, now() - $5::interval, now() - $5::interval FROM admins WHERE username = $2`,
      [createHash('sha256').update(token).digest(), username, ipAddress, userAgent, ago],
    )
    return { name: 'sid', value: token, url: server.url, httpOnly: true, sameSite: 'Strict' as const }
  }
  return { username, openSession }
}

/** The Account screen of a new operator who is signed in with two other browsers too. */
async function openAccount(page: Page, server: ConsoleServer) {
  const operator = await createOperator(server)
  await operator.openSession(iPhone, '2001:db8:85a3::8a2e:370:7334', '20 minutes')
  const other = await operator.openSession(firefox, '203.0.113.7', '5 minutes')
  await page.context().addCookies([await operator.openSession(await readUserAgent(page), '198.51.100.20')])
  await page.goto('/account')
  await expect(sessions(page).getByText('This session')).toBeVisible()
  return { ...operator, other }
}
const readUserAgent = (page: Page) => page.evaluate(() => navigator.userAgent)
const sessions = (page: Page) => page.getByRole('region', { name: 'Your sessions' }).getByRole('table')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Change your password' })
const alertDialog = (page: Page, name: string | RegExp) => page.getByRole('alertdialog', { name })

test('the account menu leads to the account, with who is signed in (product 5.15)', async ({ page, server }) => {
  const { username } = await openAccount(page, server)
  await page.goto('/orders')
  await page.getByTitle('Account menu').click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(username)
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(/Last sign-in.*\d{4} at \d\d:\d\d/)
  await expect(page.locator('[aria-current=page]')).toHaveAttribute('title', 'Account menu')
})

test('own sessions are listed in words, this one first (product 5.15)', async ({ page, server }) => {
  await openAccount(page, server)
  const rows = sessions(page).getByRole('row')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText(/Chrom.* on .*This session.*198\.51\.100\.20.*Now/)
  await expect(rows.nth(1).getByRole('button')).toHaveCount(0)
  await expect(rows.nth(2)).toContainText(/Firefox 145 on Linux.*203\.0\.113\.7/)
  await expect(rows.nth(3)).toContainText(/Safari 26 on iOS.*2001:db8:85a3::8a2e:370:7334/)
})

test('each session leads to what its operator did since (product 5.15)', async ({ page, server }) => {
  const { username } = await openAccount(page, server)
  const link = sessions(page).getByRole('link', { name: 'Admin Actions since this sign-in with Firefox 145 on Linux' })
  await link.press('Enter')
  await expect(page).toHaveURL(
    new RegExp(`/security\\?tab=actions&search=${username}&from=\\d{4}-\\d\\d-\\d\\d&to=\\d{4}-\\d\\d-\\d\\d$`),
  )
  await expect(page.getByLabel('Search by admin')).toHaveValue(username)
  await expect(page.getByRole('button', { name: /^Remove filter: Date/ })).toBeVisible()
})

test('an ended session shows the sign-in form at once, and leaves the list (product 5.15)', async ({
  page,
  server,
  browser,
}) => {
  const { other } = await openAccount(page, server)
  const elsewhere = await browser.newContext({ baseURL: server.url })
  await elsewhere.addCookies([other])
  const theirs = await elsewhere.newPage()
  await theirs.goto('/orders')
  await expectLive(theirs)
  await page.getByRole('button', { name: 'End session of Firefox 145 on Linux' }).click()
  await alertDialog(page, 'End the session of Firefox 145 on Linux?')
    .getByRole('button', { name: 'End Session' })
    .click()
  await expectToast(page, 'Session ended', 'Firefox 145 on Linux')
  await expect(sessions(page).getByRole('row')).toHaveCount(3)
  await expect(theirs.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  await elsewhere.close()
})

test('all other sessions are ended in one go, and this one goes on (product 5.15)', async ({ page, server }) => {
  await openAccount(page, server)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End All Others' }).click()
  const asking = alertDialog(page, 'End the other 2 sessions?')
  await expect(asking.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'End All Others' }).click()
  await expectToast(page, 'Sessions ended', '2 other sessions were ended')
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End All Others' })).toHaveCount(0)
  await page.reload()
  await expect(sessions(page).getByRole('row')).toHaveCount(2)
})

test('the password is changed by keyboard, and every other session ends (product 5.15)', async ({ page, server }) => {
  const { username } = await openAccount(page, server)
  await page.getByRole('button', { name: 'Change Password' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Current password', { exact: true })).toBeFocused()
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(nextPassword)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Password changed', '2 other sessions were ended.')
  await expect(dialog(page)).toHaveCount(0)
  await expect(sessions(page).getByRole('row')).toHaveCount(2)
  // The session goes on under its new token.
  await page.reload()
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(username)
  await expectLive(page)
})

test('the policy stands beside the new password while it is typed (product 5.15)', async ({ page, server }) => {
  const { username } = await openAccount(page, server)
  await page.getByRole('button', { name: 'Change Password' }).click()
  const field = dialog(page).getByLabel('New password', { exact: true })
  const rules = dialog(page).getByRole('listitem')
  await field.fill('too short')
  await expect(rules.nth(0)).toHaveText('15 to 128 characters of any kind, now 9, not yet met')
  await field.fill(`${username}-${username}`)
  await expect(rules.nth(0)).toHaveText('15 to 128 characters of any kind, met')
  await expect(rules.nth(1)).toContainText(/^Must not repeat|^Is too easy to guess/)
  await dialog(page).getByRole('button', { name: 'Change Password' }).click()
  await expect(dialog(page).getByText('Required')).toBeVisible()
  await expect(dialog(page).getByText('Choose one that meets both rules')).toBeVisible()
  await field.fill(nextPassword)
  await expect(rules.nth(1)).toContainText(', met')
  await expectAccessible(page)
})

test('a wrong current password is said beside its field, and what was typed stays', async ({ page, server }) => {
  await openAccount(page, server)
  await page.getByRole('button', { name: 'Change Password' }).click()
  const current = dialog(page).getByLabel('Current password', { exact: true })
  await current.fill('not the password of anyone')
  await dialog(page).getByLabel('New password', { exact: true }).fill(nextPassword)
  await dialog(page).getByRole('button', { name: 'Change Password' }).click()
  await expect(dialog(page).getByText('The current password is not right')).toBeVisible()
  await expect(current).toBeFocused()
  await expect(current).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page).getByLabel('New password', { exact: true })).toHaveValue(nextPassword)
  await current.fill(admin.password)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Password changed')
})

test('a password can be pasted and shown', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAccount(page, server)
  await page.getByRole('button', { name: 'Change Password' }).click()
  const field = dialog(page).getByLabel('New password', { exact: true })
  await expect(field).toHaveAttribute('autocomplete', 'new-password')
  await page.evaluate((text) => navigator.clipboard.writeText(text), nextPassword)
  await field.focus()
  await page.keyboard.press('Control+v')
  await expect(field).toHaveValue(nextPassword)
  await expect(field).toHaveAttribute('type', 'password')
  await dialog(page).getByRole('button', { name: 'Show new password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await dialog(page).getByRole('button', { name: 'Hide new password' }).click()
  await expect(field).toHaveAttribute('type', 'password')
})

test('the sections of second factors stand in place while they load', async ({ page, server }) => {
  await openAccount(page, server)
  const loading = Promise.withResolvers<void>()
  await page.route('**/api/account/factors', async (route) => {
    await loading.promise
    // Where passkeys cannot be used, a note more says so.
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), passkeyProblem: null } })
  })
  await page.reload()
  await expect(sessions(page).getByText('This session')).toBeVisible()
  const findTop = async () => (await page.getByRole('heading', { name: 'Recovery codes' }).boundingBox())?.y
  const before = await findTop()
  await expect(page.getByText('No passkeys yet')).toHaveCount(0)
  loading.resolve()
  await expect(page.getByText('No authenticator apps yet')).toBeVisible()
  expect(await findTop()).toBeCloseTo(before ?? 0, 0)
})
