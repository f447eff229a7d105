import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { createOperator, givePassword } from './support/factors.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { findLayoutFaults } from './support/layout-faults.ts'

test.use({ isSignedIn: false })

async function signIn(page: Page, server: ConsoleServer): Promise<string> {
  const username = await createOperator(server)
  await page.goto('/account')
  await givePassword(page, username)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  return username
}
const said = (page: Page) => page.getByRole('form', { name: 'Super Admin Login' }).getByRole('status')

test('the form to sign in says why the session has ended (product 2.2)', async ({ page, server, operator }) => {
  const username = await signIn(page, server)
  const [{ id } = { id: '' }] = await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [
    username,
  ])
  expect((await operator.post(`/api/operators/${id}/disable`, { data: { reason: 'Left' } })).ok()).toBe(true)
  await expect(said(page)).toHaveText(/^You were signed out because your account was disabled\./)
  await expect(page.getByLabel('Username')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await findLayoutFaults(page)).toEqual([])
  // Anyone who comes later with the same browser reads it too, another browser does not.
  await page.reload()
  await expect(said(page)).toBeVisible()
  await page.context().clearCookies()
  await page.reload()
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(said(page)).toHaveCount(0)
})

test('after signing out the form says nothing of it (product 2.2)', async ({ page, server }) => {
  await signIn(page, server)
  await page.getByTitle('Account menu').click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(said(page)).toHaveCount(0)
})

test('over what was typed the sign-in says why, too (product 2.2)', async ({ page, server }) => {
  const username = await signIn(page, server)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('Current password', { exact: true }).fill('something typed')
  await page.getByLabel('New password', { exact: true }).fill('a walk along the river at dusk')
  await server.sql(
    `UPDATE sessions SET last_active_at = now() - interval '31 minutes' WHERE admin_id = (SELECT id FROM admins WHERE username = $1)`,
    [username],
  )
  // By key, since the page may learn of the end sooner, and then the button is covered.
  await page.keyboard.press('Enter')
  const again = page.getByRole('dialog', { name: 'Sign in to go on' })
  await expect(again).toContainText('You were signed out after 30 minutes without use.')
})
