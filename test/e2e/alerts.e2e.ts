import type { Page } from '@playwright/test'
import { startMailServer, type ReceivedMail } from '#test/support/fakes/mail-server.ts'
import { admin, expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { type ConsoleServer, startConsole } from './support/console-server.ts'

// One console and one mail server for all, and one operator who goes on from test to test.
test.describe.configure({ mode: 'serial' })
let server: ConsoleServer
let mail: Awaited<ReturnType<typeof startMailServer>>
test.beforeAll(async () => {
  mail = await startMailServer()
  server = await startConsole('template_empty', { SMTP_URL: mail.url, MAIL_FROM: 'Back Office <console@example.com>' })
})
test.afterAll(async () => {
  await server.stop()
  await mail.close()
})
test.use({ isSignedIn: false })

test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/account`)
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByLabel('Password').press('Enter')
  await expect(alerts(page).getByRole('button', { name: 'Choose Alerts' })).toBeVisible()
})

const alerts = (page: Page) => page.getByRole('region', { name: 'Alerts' })
const dialog = (page: Page) => page.getByRole('dialog')
async function waitForMail(subject: RegExp): Promise<ReceivedMail> {
  const find = () => mail.mails.find((each) => subject.test(each.header('subject') ?? ''))
  await expect.poll(find).toBeDefined()
  return find()!
}

test('an address is added and confirmed by keyboard alone (product 5.15)', async ({ page }) => {
  await expect(alerts(page)).toContainText('No address yet')
  await alerts(page).getByRole('button', { name: 'Add Address' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('E-mail address')).toBeFocused()
  await page.keyboard.type('grace@')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toContainText('must be an e-mail address')
  await page.keyboard.type('example.com')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('It went to grace@example.com')
  await expectAccessible(page)
  const { raw } = await waitForMail(/^Your code for alerts by e-mail$/)
  await dialog(page).getByLabel('Code').focus()
  await page.keyboard.type('00000000')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toContainText('not the code of the last e-mail')
  await dialog(page)
    .getByLabel('Code')
    .fill(/^(\d{8}) is the code/m.exec(raw)![1]!)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Address confirmed', 'grace@example.com')
  await expect(alerts(page)).toContainText('grace@example.com')
})

test('a test that arrives is told, and one that fails says why (product 5.15)', async ({ page }) => {
  mail.state.behaviour = 'refuse-recipient'
  await alerts(page).getByRole('button', { name: 'Send a Test E-mail' }).click()
  await expectToast(page, 'Test on its way')
  await expect(alerts(page)).toContainText(/Fails since .*The mail server answered 550 5\.1\.1/)
  await expectAccessible(page)
  await alerts(page).getByRole('button', { name: 'Send a Test E-mail' }).click()
  await expectToast(page, 'The test was not sent', 'Try again in a minute')
  mail.state.behaviour = 'accept'
  await server.sql(
    `UPDATE messages SET next_try_at = now() - interval '1 second' WHERE channel = 'email' AND state = 'waiting'`,
  )
  await waitForMail(/^A test of alerts by e-mail$/)
  await expect(alerts(page).getByText('Fails since')).toHaveCount(0)
  await expect(alerts(page)).toContainText('Last sent')
})

test('alerts are chosen by keyboard, and then arrive (product 3.10)', async ({ page }) => {
  await alerts(page).getByRole('button', { name: 'Choose Alerts' }).focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('Unresolved critical events, e-mail').selectOption('At once')
  await dialog(page).getByLabel('All notices, chat').selectOption('Digest')
  await expect(dialog(page).getByLabel('Orders expire within 24 hours, chat')).toHaveValue('digest')
  await dialog(page).getByLabel('Morning digest at').selectOption('07:00')
  await dialog(page).getByLabel('Time zone').selectOption('Europe/Berlin')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Save Alerts' }).click()
  await expectToast(page, 'Alerts saved')
  await expect(alerts(page)).toContainText('E-mail at once, chat in the morning digest')
  await expect(alerts(page)).toContainText('The morning digest comes at 07:00, Europe/Berlin.')
  // As if the job had looked before the event, which it does every 20 seconds.
  await server.sql(`UPDATE alert_choices SET told_count = 0`)
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description) VALUES ('critical', 'test', 'A test')`,
  )
  await waitForMail(/^\d+ unresolved critical events?$/)
})

test('the log of messages names the operator and shows what was sent (product 3.10)', async ({ page }) => {
  await page.goto(`${server.url}/kyc-webhooks?tab=deliveries&kind=alert`)
  await page.getByRole('button', { name: /^Details of alert\.test/ }).click()
  const peek = page.getByRole('complementary', { name: 'Peek: alert.test' })
  await expect(peek).toContainText(`Sent to ${admin.username}`)
  await expect(peek).toContainText('This is the test that you asked for')
  await expectAccessible(page)
})

test('the alerts of the account hold at 375 px (product 3.8)', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.reload()
  await expect(alerts(page)).toContainText('grace@example.com')
  await expectAccessible(page)
  await alerts(page).getByRole('button', { name: 'Choose Alerts' }).click()
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test('an address is removed after a question (product 5.15)', async ({ page }) => {
  await alerts(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Address' }).click()
  await expectToast(page, 'Removed')
  await expect(alerts(page)).toContainText('No address yet')
})
