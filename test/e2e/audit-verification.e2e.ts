import type { Page } from '@playwright/test'
import pg from 'pg'
import { type ConsoleServer, startConsole } from './support/console-server.ts'
import { expect, expectAccessible, expectLive, expectToast, test as sharedTest } from './support/harness.ts'
import { actions, openProtection, protection } from './support/security-page.ts'

/** A console of its own, whose log is altered here. */
const test = sharedTest.extend<object, { ownServer: ConsoleServer }>({
  ownServer: [
    async ({}, use) => {
      const server = await startConsole('template_empty')
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ ownServer }, use) => use(ownServer),
})
// The later ones look at what the earlier ones altered.
test.describe.configure({ mode: 'serial' })

const verifyNow = (page: Page) => protection(page).getByRole('button', { name: 'Verify Now' })
const asSuperuser = (server: ConsoleServer, text: string) =>
  server.sql(`DO $$ BEGIN SET LOCAL session_replication_role = replica; ${text}; END $$`)

/** Adds rows until there are so many, and waits until all are sealed. Returns their ids, by entry. */
async function sealRows(server: ConsoleServer, rows: number) {
  await server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, details)
     SELECT 'admin', 'ada', 'export_list', jsonb_build_object('n', n) FROM generate_series(1, $1::int) n`,
    [rows],
  )
  await expect
    .poll(() => server.sql('SELECT FROM audit_log a WHERE NOT EXISTS (SELECT FROM audit_chain WHERE audit_id = a.id)'))
    .toEqual([])
  const links = await server.sql<{ id: string }>('SELECT audit_id::text AS id FROM audit_chain ORDER BY seq')
  return ['', ...links.map(({ id }) => id)]
}

/** Holds the lock of a verification as another server does that verifies. */
async function verifyElsewhere(server: ConsoleServer) {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query(`SELECT pg_advisory_lock(hashtextextended('audit verification under way', 0))`)
  return client
}

test('Verify Now is pressed by keyboard, and the outcome is told (product 5.12)', async ({ page, server }) => {
  await sealRows(server, 80)
  await page.goto('/security')
  await openProtection(page)
  await verifyNow(page).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Audit log intact')
  await expect(page.getByRole('button', { name: 'Audit log intact' })).toBeVisible()
  await expect(verifyNow(page)).toBeFocused()
  await page.getByRole('tab', { name: 'Admin Actions' }).click()
  await expect(actions(page).getByRole('row').filter({ hasText: 'Asked for verification' }).first()).toContainText(
    'grace',
  )
})

test('a verification under way is shown to every operator, and no second one starts (product 5.12)', async ({
  page,
  server,
  operator,
}) => {
  await server.sql(`INSERT INTO settings VALUES ('audit_verification_progress', '{"rows": 2000, "of": 4505}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
  await page.goto('/security')
  await expectLive(page)
  await openProtection(page)
  const other = await verifyElsewhere(server)
  try {
    await operator.post('/api/security/integrity/verifications')
    await expect(protection(page).getByText('Verifying now, asked for by joan: 2,000 of 4,505 entries')).toBeVisible()
    await expect(verifyNow(page)).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
  } finally {
    await other.end()
  }
  await expect(protection(page).getByText('Verifying now')).toBeHidden()
  await expect(verifyNow(page)).not.toHaveAttribute('aria-disabled')
})

test('a refused press says so', async ({ page }) => {
  await page.goto('/security')
  await openProtection(page)
  await page.route('**/verifications', (route) =>
    route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_unavailable' } }),
  )
  await verifyNow(page).click()
  await expectToast(page, 'Error', 'Failed to ask for a verification')
  await expect(verifyNow(page)).not.toHaveAttribute('aria-disabled')
})

test('altered rows are marked in Admin Actions, and the state leads to the first (product 5.12)', async ({
  page,
  server,
}) => {
  const ids = await sealRows(server, 1)
  const [numbers] = await server.sql<{ before: string; after: string }>(
    `SELECT (SELECT details->>'n' FROM audit_log WHERE id = $1) AS before, (SELECT details->>'n' FROM audit_log WHERE id = $2) AS after`,
    [ids[14], ids[17]],
  )
  await asSuperuser(
    server,
    `UPDATE audit_log SET details = '{"n": "altered"}' WHERE id = ${ids[10]};
     DELETE FROM audit_log WHERE id IN (${ids[15]}, ${ids[16]}); DELETE FROM audit_chain WHERE seq = 70`,
  )
  await page.goto('/security')
  await openProtection(page)
  await verifyNow(page).click()
  await expectToast(page, 'Audit log altered', '5 entries not as sealed')
  await expect(protection(page)).toContainText(`The first bad entry is 10 (row ${ids[10]} of the audit log)`)
  await protection(page).getByRole('link', { name: 'Show it in Admin Actions' }).press('Enter')
  await expect(page).toHaveURL(`/security?tab=actions&upTo=${ids[10]}`)
  const rows = actions(page).getByRole('row')
  await expect(rows.nth(1)).toContainText('Altered')
  await expect(rows.nth(1)).toContainText('This row, or its place in the chain, is not what was sealed.')
  await expect(rows.nth(1)).toContainText('N: altered')
  await expect(rows.nth(2)).not.toContainText('Altered')
  await expect(page.getByText(`The list begins with row ${ids[10]}, no matter who acted.`)).toBeVisible()
  await page.getByRole('link', { name: 'Show all 4 marked rows' }).click()
  await expect(page).toHaveURL('/security?tab=actions&altered=true')
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(1)).toContainText('Just before this row the chain lacks entry 70.')
  await expect(rows.nth(2)).toContainText('Not sealed')
  await expect(rows.nth(3)).toContainText('Just before this row 2 entries from 15 on were deleted from the log.')
  await rows.nth(3).getByRole('link', { name: 'Show among its neighbours' }).click()
  await expect(rows.nth(1)).toContainText('Row missing')
  await expect(rows.nth(1)).toContainText(`N: ${numbers!.after}`)
  await expect(rows.nth(2)).toContainText(`N: ${numbers!.before}`)
  await page.getByRole('link', { name: 'Show all from the newest on' }).click()
  await expect(page).toHaveURL('/security?tab=actions')
  await expect(page.getByText(/^5 entries are not what was sealed, as verified .+ The rows are marked\./)).toBeVisible()
})

test('axe finds nothing where rows are marked, wide and narrow (product 3.8)', async ({ page }) => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 375, height: 812 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/security?tab=actions&altered=true')
    await expect(actions(page).getByText('Altered', { exact: true })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }
})
