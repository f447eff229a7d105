import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { freePort } from '#test/support/free-port.ts'
import { auditKey, documentsKey } from '#test/support/console-process.ts'
import { startConsole, type ConsoleServer } from './support/console-server.ts'
import { addAuthenticator, addPasskey, keepCodes, showCode } from './support/factors.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { importOrder } from './support/orders.ts'

test.use({ isSignedIn: false })

const secondPassword = 'a boat on the lake at noon'
const dialog = (page: Page) => page.getByRole('dialog')
const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** A console as docs/operating.md starts one: it has nobody yet, wants second factors, and has a host name. */
async function start() {
  const port = String(await freePort())
  const settings = { AUTH_MFA: 'required', PORT: port, PUBLIC_URL: `http://localhost:${port}` }
  const host = await startConsole('template_empty', { ...settings, ADMIN_USERNAME: '', ADMIN_PASSWORD: '' })
  return { host, origin: settings.PUBLIC_URL }
}

async function signIn(page: Page, username: string, password: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Step 3: nothing opens but the page that asks for a password of one's own. */
async function chooseOwnPassword(page: Page, firstPassword: string) {
  await expect(title(page)).toHaveText('Choose a password of your own')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByLabel('Current password', { exact: true }).fill(firstPassword)
  await page.getByLabel('New password', { exact: true }).fill(firstPassword)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /Must differ from the current/,
  )
  await page.getByLabel('New password', { exact: true }).fill('a walk along the river at dusk')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Password changed')
}

/** Step 3: nothing opens but the page that asks for a factor, until its recovery codes are kept. */
async function addFirstFactor(page: Page) {
  await addAuthenticator(page)
  await expect(title(page)).toHaveText('Add a second factor')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add Authenticator App' })).toBeEnabled()
  await addPasskey(page, 'Work laptop')
  await expect(dialog(page).getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Download' })).toBeVisible()
  await keepCodes(page)
}

/** Step 4: a factor on another device. */
async function makeItYours(page: Page) {
  await page.getByTitle('Account menu').click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Add Authenticator App' }).click()
  const secret = await dialog(page).getByLabel('Key', { exact: true }).innerText()
  await dialog(page).getByLabel('Name').fill('Phone')
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(showCode(secret))
  await dialog(page).getByRole('button', { name: 'Add App' }).click()
  await expect(page.getByRole('region', { name: 'Authenticator apps' })).toContainText('Phone')
}

/** Step 5. */
async function invite(page: Page, username: string, role: string): Promise<string> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operators' }).click()
  await page.getByRole('button', { name: 'Invite Operator' }).click()
  await dialog(page).getByLabel('Username').fill(username)
  await dialog(page).getByLabel('Role').selectOption(role)
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await dialog(page).locator('code').innerText()
  await expect(dialog(page)).toContainText('It works once, for 48 hours.')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: `Actions of ${username}` })).toBeVisible()
  return link
}

/** Step 6: in a browser of the second operator's own. */
async function joinByLink(browser: Browser, origin: string, link: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(secondPassword)
  await page.getByLabel('Password again').fill(secondPassword)
  await page.getByRole('button', { name: 'Set Password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'ben', secondPassword)
  await addFirstFactor(page)
  await expect(title(page)).toHaveText('Analytics Dashboard')
  return page
}

/** What a command prints on the console's machine, with the console's settings. */
async function runAdmin(host: ConsoleServer, ...words: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../src/server/cli/admin.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: host.databaseUrl, AUDIT_KEY: auditKey, DOCUMENTS_KEY: documentsKey },
  })
  return stdout
}

/** Step 7. */
async function look(page: Page, host: ConsoleServer) {
  const operators = page.getByRole('region', { name: 'Operators' }).getByRole('row')
  await expect(operators.filter({ hasText: 'Active' })).toHaveCount(2)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Security Logs' }).click()
  const events = page.getByRole('table')
  await expect(events.getByText('Operator joined').first()).toBeVisible()
  await expect(events.getByText('Factor added').first()).toBeVisible()
  const listed = await runAdmin(host, 'list')
  expect(listed).toMatch(/^username +role +state +created +last sign-in +sessions/m)
  for (const name of ['admin', 'ben']) expect(listed).toMatch(new RegExp(`^${name} +Super Admin +active `, 'm'))
}

/** “Four eyes”, steps 2 and 4: the first rule, closed on both ways to pay. */
async function setFirstRule(page: Page) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Change Rule: Mark an order paid by hand' }).click()
  await dialog(page).getByLabel('Needs the approval of a second operator').check()
  await dialog(page).getByLabel('From this amount on').fill('5,000.00')
  await dialog(page).getByRole('button', { name: 'Save Rule' }).click()
  await expectToast(page, 'Approval rule saved')
  await page.getByRole('button', { name: 'Set the Same Rule' }).click()
  await expectToast(page, 'Approval rule saved', /Apply bank money/)
}

test('two operators begin as docs/operating.md tells, one approves for the other', async ({ page, browser }) => {
  const { host, origin } = await start()
  try {
    const [, username = '', password = ''] =
      /Sign in as (\S+) with the password (\S+) \(shown this once\)/.exec(host.said()) ?? []
    expect(username).toBe('admin')
    await page.goto(origin)
    await signIn(page, username, password)
    await chooseOwnPassword(page, password)
    await addFirstFactor(page)
    await expect(title(page)).toHaveText('Analytics Dashboard')
    await makeItYours(page)
    const ben = await joinByLink(browser, origin, await invite(page, 'ben', 'Super Admin'))
    await look(await reload(page, '/operators'), host)
    await invite(page, 'vera', 'Viewer')

    await setFirstRule(page)
    const order = await importOrder(host, await importMember(host))
    await page.goto(`${origin}/orders/${order.id}`)
    await page.getByRole('button', { name: 'Mark Paid' }).click()
    await dialog(page).getByRole('textbox').fill('Seen on paper')
    await dialog(page).getByRole('button', { name: 'Request Approval' }).click()
    await expectToast(page, 'Sent for approval')
    await ben.getByRole('button', { name: /Notifications/ }).click()
    await ben.getByRole('link', { name: /1 approval waits for you/ }).click()
    await ben.getByRole('link', { name: 'Mark an order paid by hand' }).click()
    await ben.getByRole('button', { name: 'Approve' }).click()
    await dialog(ben).getByRole('button', { name: 'Approve' }).click()
    await expectToast(ben, 'Approved and done')
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('approved by ben')
    await page.getByRole('button', { name: /Notifications/ }).click()
    await expect(page.getByRole('link', { name: /1 request of yours was decided/ })).toBeVisible()
    await ben.context().close()
  } finally {
    await host.stop()
  }
})

async function reload(page: Page, path: string): Promise<Page> {
  await page.goto(new URL(path, page.url()).href)
  return page
}
