import type { Page } from '@playwright/test'
import { freePort } from '#test/support/free-port.ts'
import { providerSettings, startProvider, type TestProvider } from '#test/support/provider.ts'
import { startConsole, startLimit, type ConsoleServer } from './support/console-server.ts'
import { admin, expect, expectAccessible, expectToast, test as base } from './support/harness.ts'

interface SignInServers {
  provider: TestProvider
  /** Passwords and the provider. */
  both: ConsoleServer
  /** The provider, and passwords for emergencies alone. */
  closed: ConsoleServer
}

const test = base.extend<object, { place: SignInServers }>({
  place: [
    async ({}, use) => {
      const ports = [await freePort(), await freePort()]
      const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
      const provider = await startProvider(addresses.map((address) => `${address}/api/auth/oidc/callback`))
      const settings = (at: number) => ({
        PORT: String(ports[at]),
        OIDC_ISSUER: provider.issuer,
        OIDC_NAME: 'Example ID',
        OIDC_ROLES: 'console-admins=super_admin,auditors=viewer',
        ...providerSettings,
      })
      const both = await startConsole('template_empty', settings(0))
      const closed = await startConsole('template_empty', { ...settings(1), LOCAL_SIGN_IN: 'off' })
      await use({ provider, both, closed })
      provider.stop()
      await Promise.all([both.stop(), closed.stop()])
    },
    { scope: 'worker', ...startLimit },
  ],
})
test.use({ isSignedIn: false, data: 'empty' })

let people = 0
async function makePerson({ provider }: SignInServers, group = 'console-admins') {
  const name = `person-${process.pid}-${++people}`
  await provider.setAccount(name, { preferred_username: name, groups: [group] })
  return name
}
const providerButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Example ID' })

/** Signs in at the provider's own page. */
async function signInThere(page: Page, account: string) {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('signs in at the provider and shows the path that was asked (product 2.10)', async ({ page, place }) => {
  const name = await makePerson(place)
  await page.goto(`${place.both.url}/orders?status=paid`)
  await expect(page.getByLabel('Username')).toBeFocused()
  await providerButton(page).click()
  await signInThere(page, name)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order Management')
  expect(new URL(page.url()).search).toBe('?status=paid')
  await expect(page.getByRole('button', { name: new RegExp(name) })).toBeVisible()
})

test('the provider is reached by keyboard, and another tab hears of the sign-in', async ({ page, place, context }) => {
  const name = await makePerson(place)
  const other = await context.newPage()
  await other.goto(`${place.both.url}/users`)
  await expect(providerButton(other)).toBeVisible()
  await page.goto(`${place.both.url}/login`)
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(providerButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await signInThere(page, name)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('User Management')
})

test('the form with the provider is accessible, and fits a phone', async ({ page, place }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  for (const { url } of [place.both, place.closed]) {
    await page.goto(url)
    await expect(providerButton(page)).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})

test('who has no role is told so on a page that leads back', async ({ page, place }) => {
  const name = await makePerson(place, 'everybody')
  await page.goto(place.both.url)
  await providerButton(page).click()
  await signInThere(page, name)
  await expect(page.getByRole('heading', { name: 'You have no access to this console' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await expect(providerButton(page)).toBeVisible()
})

test('where passwords are closed the form has the button alone (product 2.10)', async ({ page, place }) => {
  // The first admin is for emergencies; for a while this one is not.
  await place.closed.sql('UPDATE admins SET break_glass = false WHERE username = $1', [admin.username])
  await page.goto(place.closed.url)
  await expect(providerButton(page)).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await page.getByRole('button', { name: 'Emergency Sign-In' }).click()
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await place.closed.sql('UPDATE admins SET break_glass = true WHERE username = $1', [admin.username])
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
})

test('a change that needs a recent sign-in is confirmed at the provider, and goes on (product 2.9)', async ({
  page,
  place,
}) => {
  const name = await makePerson(place)
  await page.goto(`${place.both.url}/operators`)
  await providerButton(page).click()
  await signInThere(page, name)
  await page.getByRole('button', { name: 'Invite Operator' }).click()
  const invitation = page.getByRole('dialog')
  const invited = `invited-${name}`
  await invitation.getByLabel('Username').fill(invited)
  await place.both.sql(`UPDATE sessions SET authenticated_at = now() - interval '1 hour'`)
  await invitation.getByRole('button', { name: 'Invite' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const opening = page.waitForEvent('popup')
  await question.getByRole('button', { name: 'Confirm with Example ID' }).click()
  const there = await opening
  await signInThere(there, name)
  await expect(question).toHaveCount(0)
  await expect(page.getByText(/\/invitation\//)).toBeVisible()
  const [row] = await place.both.sql<{ username: string }>('SELECT username FROM admins WHERE username = $1', [invited])
  expect(row).toEqual({ username: invited })
})

test('an operator signs in again by the provider, and what was typed stays', async ({ page, place }) => {
  const name = await makePerson(place)
  await page.goto(`${place.closed.url}/operators`)
  await providerButton(page).click()
  await signInThere(page, name)
  await page.getByRole('button', { name: 'Invite Operator' }).click()
  await page.getByRole('dialog').getByLabel('Username').fill('typed-before')
  await place.closed.sql(`DELETE FROM sessions`)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in to go on' })
  const opening = page.waitForEvent('popup')
  await again.getByRole('button', { name: 'Sign in with Example ID' }).click()
  await opening
  await expect(again).toHaveCount(0)
  await expect(page.getByRole('dialog').getByLabel('Username')).toHaveValue('typed-before')
})

test('the own factor follows the provider (product 2.10)', async ({ page, place }) => {
  const name = await makePerson(place)
  await page.goto(`${place.both.url}/account`)
  await providerButton(page).click()
  await signInThere(page, name)
  await expect(page.getByText('Your account is linked to Example ID.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await place.both.sql(
    `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step)
     SELECT id, 'totp', 'Phone', '\\x00', 'none', 0 FROM admins WHERE username = $1`,
    [name],
  )
  await place.both.sql(`DELETE FROM sessions`)
  await page.goto(`${place.both.url}/account`)
  await providerButton(page).click()
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('button', { name: 'Start Again' }).click()
  await expect(providerButton(page)).toBeVisible()
})
