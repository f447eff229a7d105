import type { Page } from '@playwright/test'
import { freePort } from '#test/support/free-port.ts'
import { startConsole, type ConsoleServer } from './support/console-server.ts'
import { admin, expect, expectAccessible, expectToast, readClipboard, test } from './support/harness.ts'
import { addAuthenticator, addPasskey, createOperator, givePassword, keepCodes, showCode } from './support/factors.ts'

test.use({ isSignedIn: false })

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function addApp(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Add Authenticator App' }).click()
  const form = dialog(page, 'Add an authenticator app')
  await expect(form.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = await form.getByLabel('Key', { exact: true }).innerText()
  await form.getByLabel('Name').fill(name)
  await form.getByRole('textbox', { name: 'Code' }).fill('123')
  await form.getByRole('button', { name: 'Add App' }).click()
  await expect(form.getByText(/is not the code/i)).toBeVisible()
  await form.getByRole('textbox', { name: 'Code' }).fill(showCode(secret))
  await form.getByRole('button', { name: 'Add App' }).click()
  return secret
}

test.describe('at a host name', () => {
  let host: ConsoleServer
  let origin: string
  test.beforeAll(async () => {
    const port = await freePort()
    host = await startConsole('template_empty', { PORT: String(port) })
    origin = `http://localhost:${port}`
  })
  test.afterAll(() => host.stop())

  test('a passkey is added, signs in by one press, and is removed (product 2.8)', async ({ page }) => {
    const username = await createOperator(host)
    const { setVerified } = await addAuthenticator(page)
    await page.goto(`${origin}/account`)
    await givePassword(page, username)
    await expect(part(page, 'Recovery codes')).toContainText('Add a passkey or an authenticator app first.')
    await addPasskey(page, 'Work laptop')
    await keepCodes(page)
    await expect(part(page, 'Passkeys')).toContainText(/Work laptop.*Not yet/)
    await expect(part(page, 'Recovery codes')).toContainText('10 of 10 left')

    await page.getByTitle('Account menu').click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await givePassword(page, username)
    const press = page.getByRole('button', { name: 'Use Passkey' })
    await expect(press).toBeFocused()
    await setVerified(false)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The passkey was not used: it was cancelled, or it took too long.')).toBeVisible()
    await setVerified(true)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')

    await page.goto(`${origin}/account`)
    await expect(part(page, 'Passkeys')).not.toContainText('Not yet')
    await host.sql(`UPDATE sessions SET authenticated_at = now() - interval '16 minutes'`)
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    const asking = page.getByRole('alertdialog', { name: 'Remove Work laptop?' })
    await expect(asking).toContainText('your password alone signs you in')
    await asking.getByRole('button', { name: 'Remove' }).click()
    await dialog(page, 'Confirm it’s you').getByRole('button', { name: 'Use Passkey' }).click()
    await expectToast(page, 'Passkey removed', 'Work laptop')
    await expect(part(page, 'Passkeys')).toContainText('No passkeys yet')
  })

  test('the same device twice is refused beside what was typed', async ({ page }) => {
    const username = await createOperator(host)
    await addAuthenticator(page)
    await page.goto(`${origin}/account`)
    await givePassword(page, username)
    await addPasskey(page, 'Laptop')
    await keepCodes(page)
    await addPasskey(page, 'Laptop again')
    await expect(dialog(page, 'Add a passkey').getByRole('alert')).toContainText('has a passkey of yours already')
    await expect(dialog(page, 'Add a passkey').getByLabel('Name')).toHaveValue('Laptop again')
  })
})

test('at an address the reason stands where passkeys are added (product 2.8)', async ({ page, server }) => {
  await page.goto('/account')
  await givePassword(page, await createOperator(server))
  await expect(part(page, 'Passkeys')).toContainText(/Passkeys can’t be used at this address: open the console at/)
  await expect(page.getByRole('button', { name: 'Add Passkey' })).toBeDisabled()
})

test('an authenticator app is added, renamed, and new codes are made (product 2.8)', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/account')
  await givePassword(page, await createOperator(server))
  await addApp(page, 'Phone')
  const first = await keepCodes(page)
  await page.getByRole('button', { name: 'Rename Phone' }).click()
  await dialog(page, 'Rename Phone').getByLabel('Name').fill('My phone')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Authenticator app renamed', 'My phone')
  await expect(part(page, 'Authenticator app')).toContainText('My phone')
  await page.getByRole('button', { name: 'Make New Codes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make New Codes' }).click()
  const shown = dialog(page, 'Keep your recovery codes')
  await expect(shown).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(shown.getByRole('listitem').first()).toBeVisible()
  await expect(page.locator('#root')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await shown.getByRole('button', { name: 'Copy' }).click()
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('back-office-recovery-codes.txt')
  const codes = await keepCodes(page)
  await expect.poll(() => readClipboard(page)).toBe(codes.join('\n'))
  expect(codes.filter((code) => first.includes(code))).toEqual([])
})

test('where a factor is required, nothing opens until one is added (product 2.8)', async ({ page }) => {
  const strict = await startConsole('template_empty', { AUTH_MFA: 'required' })
  try {
    await page.goto(`${strict.url}/account`)
    await givePassword(page, admin.username)
    await expect(page.getByRole('heading', { level: 1, name: 'Add a second factor' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expectAccessible(page)
    await addApp(page, 'Phone')
    await keepCodes(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
    await page.getByRole('button', { name: 'Remove Phone' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText('one is required here')
  } finally {
    // What its page still fetches would fail with its console.
    await page.close()
    await strict.stop()
  }
})

test('adding an authenticator app is accessible', async ({ page, server }) => {
  await page.goto('/account')
  await givePassword(page, await createOperator(server))
  await page.getByRole('button', { name: 'Add Authenticator App' }).click()
  await expect(dialog(page, 'Add an authenticator app').getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectAccessible(page)
})
