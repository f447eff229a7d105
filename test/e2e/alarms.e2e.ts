import { admin, expect, expectAccessible, test } from './support/harness.ts'
import { type ConsoleServer, startConsole } from './support/console-server.ts'
import { openProtection } from './support/security-page.ts'

// One console for both.
let server: ConsoleServer
test.beforeAll(async () => {
  server = await startConsole('template_empty', { ALARMS_LOG: '/nowhere/alarms.jsonl', SESSION_NETWORK: 'step-up' })
})
test.afterAll(() => server.stop())
test.use({ isSignedIn: false })

test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/security`)
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByRole('button', { name: /^(Audit log|Alarms)/ })).toBeVisible()
})

test('an output of alarms that fails is named with its reason (product 5.12)', async ({ page }) => {
  const outputs = page.getByRole('list', { name: 'Outputs of alarms' })
  // It fails at the first audit row after it began: the one of this sign-in, or of another test's.
  const failing = 'SELECT 1 FROM alarm_outputs WHERE failing_since IS NOT NULL'
  await expect.poll(async () => (await server.sql(failing)).length).toBe(1)
  await page.reload()
  await openProtection(page, 'Alarms not sent')
  await expect(outputs).toContainText('Log: alarms are not sent')
  await expect(outputs).toContainText(/Last sent never/)
  await expect(outputs).toContainText(/Fails since .*: Could not write to the file \(ENOENT\)/)
  await expectAccessible(page)
  await server.sql(`UPDATE alarm_outputs SET failing_since = now() - interval '6 minutes'`)
  await page.reload()
  await page.getByRole('button', { name: /Notifications/ }).click()
  await expect(page.getByText('1 output of alarms fails')).toBeVisible()
})

test('a session from elsewhere is confirmed before its first change (product 2.9)', async ({ page }) => {
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description) VALUES ('high', 'test', 'To be resolved')`,
  )
  await server.sql(`UPDATE sessions SET ip_address = '203.0.113.9'`)
  await page.reload()
  await page.getByRole('button', { name: /^Resolve .*To be resolved$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(asking).toContainText('This session is used from another network or browser than at sign-in.')
  await expectAccessible(page)
  await asking.getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(asking).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Resolve .*To be resolved$/ })).toHaveCount(0)
  await expect(page.getByText('Session New Place', { exact: false }).first()).toBeVisible()
})
