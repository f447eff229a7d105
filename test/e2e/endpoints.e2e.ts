import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { findLayoutFaults } from './support/layout-faults.ts'
import { newWord } from './support/members.ts'

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Endpoints' }).getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const show = (page: Page) => page.goto('/kyc-webhooks?tab=endpoints')

/** An endpoint straight into the table, on the console's own machine. */
async function bringEndpoint(server: ConsoleServer) {
  const name = `Billing ${newWord()}`
  const [made] = await server.sql<{ id: string }>(
    `INSERT INTO platform_endpoints (name, url, secret, secret_set_at, created_by)
     VALUES ($1, 'https://billing.example.com/in', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now(), 'tests') RETURNING id::text`,
    [name],
  )
  return { id: made!.id, name }
}
/** An event that waits for the endpoint. */
const bringWaiting = (server: ConsoleServer, id: string, entity: string) =>
  server.sql(
    `WITH event AS (
       INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
       VALUES ('member.banned', 'member', $2, 2, '{}') RETURNING *
     )
     INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id,
       next_try_at)
     SELECT 'platform', 'out', $1, id, event_id, type, entity_type, entity_id, now() + interval '1 hour' FROM event`,
    [id, entity],
  )

test.use({ data: 'empty' })

test.afterEach(async ({ server }) => {
  // The other screens of this console show one endpoint.
  await server.sql(`UPDATE platform_endpoints SET deleted_at = now(), url = NULL, secret = NULL, previous_secret = NULL
    WHERE id > 1 AND deleted_at IS NULL`)
  await server.sql(`UPDATE messages SET state = 'dropped', next_try_at = NULL WHERE endpoint_id > 1`)
})

test('an endpoint is added by keyboard, and its secret shown once (product 10.4)', async ({ page }) => {
  const name = `Shop ${newWord()}`
  await page.goto('/kyc-webhooks')
  await page.getByRole('tab', { name: 'Endpoints' }).click()
  await expect(row(page, 'Platform')).toContainText(/PLATFORM_WEBHOOK_URL is not set.*Not set/)
  await button(page, 'Add Endpoint').press('Enter')
  const adding = dialog(page, 'Add Endpoint')
  await expect(adding.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(adding.getByText('must not be empty')).toHaveCount(2)
  await adding.getByLabel('Name').fill(name)
  await adding.getByLabel('Address').fill('http://shop.example.com/in')
  await adding.getByLabel(/^All, also/).uncheck()
  for (const type of ['Member banned', 'KYC reset']) await adding.getByLabel(type, { exact: true }).uncheck()
  await page.keyboard.press('Enter')
  await expect(adding.getByRole('alert')).toContainText('plain http')
  await expectAccessible(page)
  await expect(adding.getByLabel('Name')).toHaveValue(name)
  await adding.getByLabel('Address').fill('https://shop.example.com/in')
  await adding.getByLabel('Address').press('Enter')
  const shown = dialog(page, `Secret of ${name}`)
  await expect(shown.getByText(/^whsec_/)).toBeVisible()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, name)).toContainText(/shop\.example\.com.*Not tried yet/)
  await expect(page.getByText(/whsec_/)).toHaveCount(0)
  await expectAccessible(page)
})

test('an endpoint is edited, switched off and on, and given a new secret (product 10.4)', async ({ page, server }) => {
  const { name } = await bringEndpoint(server)
  await show(page)
  await button(page, `Edit ${name}`).click()
  const editing = dialog(page, `Edit ${name}`)
  await expect(editing).toContainText('events go on to billing.example.com')
  await editing.getByLabel('Name').fill(`${name} 2`)
  await editing.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Endpoint changed', `${name} 2`)
  await button(page, `Switch Off ${name} 2`).click()
  await expect(row(page, name)).toContainText('Off')
  await expect(button(page, `Test ${name} 2`)).toBeDisabled()
  await button(page, `Switch On ${name} 2`).click()
  await expect(row(page, name)).toContainText('Not tried yet')

  await button(page, `Secret of ${name} 2`).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'New Secret' }).click()
  const shown = dialog(page, `Secret of ${name} 2`)
  await expect(shown).toContainText(/whsec_.*Both secrets sign/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await button(page, `Secret of ${name} 2`).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End Old Secret' }).click()
  await expectToast(page, 'Old secret ended', `${name} 2`)
})

test('deleting says how many events it drops, and the log still names the endpoint (product 10.4)', async ({
  page,
  server,
}) => {
  const { id, name } = await bringEndpoint(server)
  const entity = `m-${newWord()}`
  await bringWaiting(server, id, entity)
  await show(page)
  await row(page, name)
    .getByRole('link', { name: `1 waiting for ${name}` })
    .click()
  await expect(page).toHaveURL(`/kyc-webhooks?tab=deliveries&kind=event&status=waiting&endpoint=${id}`)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Endpoint filter' })).toHaveValue(id)
  await page.goBack()
  await button(page, `Delete ${name}`).click()
  const asking = page.getByRole('alertdialog')
  await expect(asking).toContainText('1 event waits or was given up here')
  await asking.getByRole('button', { name: 'Delete and drop 1 event' }).click()
  await expectToast(page, 'Endpoint deleted', `${name}: 1 event dropped`)
  await expect(row(page, name)).toHaveCount(0)
  await page.goto(`/kyc-webhooks?tab=deliveries&search=${entity}`)
  await expect(page.getByRole('region', { name: 'Delivery log' })).toContainText(new RegExp(`to ${name}.*Dropped`))
})

test('a test event stands in the log, marked as a test (product 10.4)', async ({ page, server }) => {
  const { id, name } = await bringEndpoint(server)
  await show(page)
  await button(page, `Test ${name}`).click()
  await expectToast(page, 'Test event sent', name)
  await page.goto(`/kyc-webhooks?tab=deliveries&endpoint=${id}`)
  await expect(page.getByRole('region', { name: 'Delivery log' }).getByRole('row').nth(1)).toContainText(
    new RegExp(`endpoint\\.test\\s*Test\\s*to ${name}`),
  )
})

test('an endpoint fits every window, its buttons on one line from 1280 px on', async ({ page, server }) => {
  const { id, name } = await bringEndpoint(server)
  await server.sql('UPDATE platform_endpoints SET name = $2, failing_since = now() WHERE id = $1', [
    id,
    name.padEnd(64, 'W'),
  ])
  await show(page)
  await expect(row(page, name)).toContainText('Failing')
  for (const width of [375, 768, 1024, 1100, 1180, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => findLayoutFaults(page), { message: `at ${width} px` }).toEqual([])
    if (width < 1280) continue
    const tops = await row(page, name)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().top))
    expect([...new Set(tops)], `at ${width} px`).toHaveLength(1)
  }
})
