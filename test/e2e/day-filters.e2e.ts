import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { chooseFilter, filterMenu } from './support/filters.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { actions } from './support/security-page.ts'

/** Three actions of an operator whom no other test knows. Returns the name. */
async function addActions(server: ConsoleServer) {
  const actor = newWord()
  await server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, details, created_at) VALUES
       ('admin', $1, 'login', '{"n": "late on March 1"}', '2025-03-01T23:30:00Z'),
       ('admin', $1, 'login', '{"n": "noon of March 2"}', '2025-03-02T12:00:00Z'),
       ('admin', $1, 'login', '{"n": "late on March 2"}', '2025-03-02T23:30:00Z')`,
    [actor],
  )
  return actor
}

const open = (page: Page, actor: string, days = '') => page.goto(`/security?tab=actions&search=${actor}${days}`)
const chip = (page: Page) => page.getByRole('button', { name: /^Remove filter: Date/ })
/** Chooses days of the month that is shown by their full names. */
async function chooseBetween(page: Page, ...days: string[]) {
  await chooseFilter(page, 'between')
  for (const name of days) await filterMenu(page).getByRole('button', { name, exact: true }).click()
  await filterMenu(page).getByRole('button', { name: 'Apply' }).click()
}
const rows = (page: Page) => actions(page).getByRole('row').filter({ hasText: 'Signed in' })
const problem = (page: Page) => page.getByRole('alert').filter({ hasText: 'To is before From.' })

const zones = {
  'Europe/Lisbon': ['late on March 2', 'noon of March 2'],
  'Asia/Tokyo': ['noon of March 2', 'late on March 1'],
  'Pacific/Honolulu': ['late on March 2', 'noon of March 2'],
}
for (const [timezoneId, expected] of Object.entries(zones))
  test.describe(`in a browser in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test(`days of Admin Actions are those of ${timezoneId} (product 5.12)`, async ({ page, server }) => {
      const actor = await addActions(server)
      await open(page, actor)
      await expect(rows(page)).toHaveCount(3)
      await open(page, actor, '&from=2025-03-02&to=2025-03-02')
      await expect(rows(page)).toContainText(expected)
      await expect(rows(page).first()).toContainText('Mar 02, 2025')
      await expect(page.getByText('Showing 1 to 2 of 2 entries')).toBeVisible()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV' }).click()
      const { searchParams } = new URL((await downloading).url())
      expect(searchParams.get('timeZone')).toBe(timezoneId)
    })
  })

test('days are chosen in a calendar, stand in the address, and Back takes them off (product 4.3)', async ({
  page,
  server,
}) => {
  const actor = await addActions(server)
  await open(page, actor, '&from=2025-03-01&to=2025-03-09')
  await expect(rows(page)).toHaveCount(3)
  await chip(page).click()
  await expect(page).toHaveURL(`/security?tab=actions&search=${actor}`)
  await page.goBack()
  await chooseBetween(page, '2 March 2025', '2 March 2025')
  await expect(page).toHaveURL(`/security?tab=actions&search=${actor}&from=2025-03-02&to=2025-03-02`)
  await expect(rows(page)).toHaveCount(2)
  await page.reload()
  await expect(chip(page)).toHaveText('Date Mar 02, 2025')
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await expect(chip(page)).toHaveText('Date Mar 01, 2025 to Mar 09, 2025')
  await expect(rows(page)).toHaveCount(3)
})

test('days that hold nothing say so, and are cleared at once (product 4.1)', async ({ page, server }) => {
  const actor = await addActions(server)
  await open(page, actor, '&from=2025-03-03&to=2025-03-09')
  await expect(actions(page)).toContainText(`No action matches "${actor}" with these filters`)
  await expect(page.getByText('Showing 0 to 0 of 0 entries')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(chip(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/security?tab=actions&search=${actor}`)
})

for (const [name, path] of Object.entries({
  'Admin Actions': '/security?tab=actions&',
  Transactions: '/transactions?',
}))
  test(`${name} say that the last day is before the first`, async ({ page }) => {
    await page.goto(`${path}from=2025-03-09&to=2025-03-02`)
    await expect(problem(page)).toBeVisible()
    await expect(page.getByText('Showing 0 to 0 of 0 entries')).toBeVisible()
    await expectAccessible(page)
    await chip(page).click()
    await expect(problem(page)).toHaveCount(0)
  })

test('what is not a day in the address is not a filter (product 4.3)', async ({ page, server }) => {
  await open(page, await addActions(server), '&from=2025-02-30&to=yesterday')
  await expect(rows(page)).toHaveCount(3)
  await expect(chip(page)).toHaveCount(0)
})

test('days stay behind where another tab is chosen', async ({ page, server }) => {
  await open(page, await addActions(server), '&from=2025-03-02&to=2025-03-09')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('tab', { name: 'Security Events' }).click()
  await expect(page).toHaveURL('/security')
  await page.goto('/transactions?from=2025-03-02&to=2025-03-09')
  await page.getByRole('tab', { name: 'Platform' }).click()
  await expect(page).toHaveURL('/transactions?tab=platform')
})

test('a range by name moves on with the days, and is where one’s own begins', async ({ page, server }) => {
  const member = await importMember(server)
  await page.clock.install({ time: '2026-03-02T12:00:00Z' })
  await server.sql(`UPDATE members SET created_at = '2026-02-27T12:00:00Z' WHERE id = $1`, [member.id])
  const hit = page.getByRole('link', { name: `View ${member.name}` })
  const open = (days: string) => page.goto(`/users?search=${member.email}&${days}`)
  await open('created=lastMonth')
  await expect(hit).toBeVisible()
  await open('created=thisMonth')
  await expect(page.getByText('with these filters')).toBeVisible()
  await chooseFilter(page, 'last 7')
  await expect(hit).toBeVisible()
  await expect(page).toHaveURL(/created=last7/)
  await chooseFilter(page, 'between')
  await expect(filterMenu(page).getByRole('grid', { name: 'March 2026' })).toBeVisible()
  await expectAccessible(page)
  await filterMenu(page).getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/from=2026-02-24&to=2026-03-02/)
  await expect(page).not.toHaveURL(/created=/)
  await chooseFilter(page, 'yesterday')
  await expect(hit).toHaveCount(0)
  await expect(page).not.toHaveURL(/from=/)
})
