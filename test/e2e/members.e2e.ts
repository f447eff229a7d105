import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import { importMember, newWord, buildSubmission } from './support/members.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Users' }).getByRole('table')
const findRow = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^View / }) })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search by name or email' })
const filterBox = (page: Page) => page.getByRole('combobox', { name: 'Status filter' })
const dialog = (page: Page) => page.getByRole('dialog')

test('Users list: all columns and named actions of every member (product 5.3)', async ({ page, server }) => {
  const member = await importMember(server, { createdAt: '2026-01-05T09:07:00Z' })
  await server.importLines(buildSubmission(member.id, { result: 'approved' }))
  await page.goto(`/users?search=${member.email}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Management')
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Select',
    'User',
    'KYC Status',
    'Status',
    'Joined',
    'Actions',
  ])
  const row = findRow(page, member.name)
  await expect(row.getByRole('cell').nth(1)).toContainText(/MB-\d{8}/)
  await expect(row.getByRole('cell').nth(1)).toContainText(member.email)
  await expect(row.getByRole('cell').nth(2)).toHaveText('Verified')
  await expect(row.getByRole('cell').nth(3)).toHaveText('Active')
  await expect(row.getByRole('cell').nth(4)).toHaveText('Jan 05, 2026 at 09:07')
  await expect(row.getByRole('time')).toHaveAttribute('title', '2026-01-05T09:07:00.000Z')
  await expect(row.getByRole('button', { name: `Ban ${member.name}` })).toHaveText('Ban')
  await row.getByRole('link', { name: member.name, exact: true }).press('Enter')
  await expect(page).toHaveURL(`/users/${member.id}`)
  await page.goBack()
  await row.getByRole('link', { name: `View ${member.name}` }).click()
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('a member without a name shows by e-mail (product 5.3)', async ({ page, server }) => {
  const email = `${newWord()}@example.com`
  await server.importLines({ type: 'member', id: `m-${newWord()}`, email })
  await page.goto(`/users?search=${email}`)
  await expect(findRow(page, email).getByRole('link', { name: email, exact: true })).toBeVisible()
  await expect(findRow(page, email).getByRole('cell').nth(2)).toHaveText('Not started')
  await expect(findRow(page, email).getByRole('cell').nth(1)).toContainText(email[0]!.toUpperCase())
})

test('KYC badges: Verified, Under Review, Pending, Submitted and Rejected (product 7.1)', async ({
  page,
  server,
  operator,
}) => {
  const word = newWord()
  const states = ['approved', 'under_review', 'pending', 'submitted', 'rejected'] as const
  for (const state of states) {
    const member = await importMember(server, { legalFirstName: state, legalLastName: word })
    if (state === 'approved') await server.importLines(buildSubmission(member.id, { result: 'approved' }))
    else if (state === 'rejected')
      await server.importLines(buildSubmission(member.id, { result: 'rejected', reason: 'Blurred' }))
    else await server.importLines(buildSubmission(member.id))
    if (state === 'pending') await operator.post(`/api/users/${member.id}/kyc/reset`)
    if (state === 'submitted')
      await server.sql(`UPDATE members SET kyc_status = 'submitted' WHERE id = $1`, [member.id])
  }
  await page.goto(`/users?search=${word}`)
  await expect(rows(page)).toHaveCount(5)
  for (const [state, badge] of [
    ['approved', 'Verified'],
    ['under_review', 'Under Review'],
    ['pending', 'Pending'],
    ['submitted', 'Submitted'],
    ['rejected', 'Rejected'],
  ] as const)
    await expect(findRow(page, `${state} ${word}`).getByRole('cell').nth(2)).toHaveText(badge)
})

test('a banned member shows Banned with the reason, the whole of it on hover (product 5.3)', async ({
  page,
  server,
  operator,
}) => {
  const member = await importMember(server)
  const reason = 'Chargeback fraud on three orders, reported by the bank on the day after the payments were made'
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason } })
  await page.goto(`/users?search=${member.email}`)
  await expect(findRow(page, member.name).getByRole('cell').nth(3)).toHaveText(`Banned${reason}`)
  await expect(findRow(page, member.name).getByTitle(reason)).toBeVisible()
  await expect(findRow(page, member.name).getByRole('button', { name: `Unban ${member.name}` })).toBeVisible()
  for (const width of [1100, 1024, 768, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(findRow(page, member.name).getByText(reason).filter({ visible: true })).toHaveCount(1)
    // On a phone the badges stand beside it.
    const least = width < 640 ? 180 : 220
    const user = findRow(page, member.name).getByRole('cell').nth(1)
    await expect
      .poll(async () => (await user.boundingBox())?.width, `the User column at ${width} px`)
      .toBeGreaterThanOrEqual(least)
  }
})

test('search by name or e-mail survives reload and Back (product 5.3, 4.3)', async ({ page, server }) => {
  const word = newWord()
  const jose = await importMember(server, { legalFirstName: 'José', legalLastName: word })
  await page.goto('/users?from=mail')
  await expect(rows(page)).toHaveCount(50)
  await searchBox(page).fill(`jose ${word}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(findRow(page, jose.name)).toBeVisible()
  await expect(page).toHaveURL(/from=mail/)
  await page.reload()
  await expect(searchBox(page)).toHaveValue(`jose ${word}`)
  await expect(rows(page)).toHaveCount(1)
  await searchBox(page).fill(`${word} nobody`)
  await expect(table(page)).toContainText('No data available')
  await expect(page.getByText('Showing 0 to 0 of 0 entries')).toBeVisible()
  await searchBox(page).fill(jose.email.slice(2))
  await expect(findRow(page, jose.name)).toBeVisible()
  await page.goBack()
  await expect(searchBox(page)).toHaveValue(`jose ${word}`)
  await page.goBack()
  await expect(searchBox(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(50)
})

test('the status filter names four states and asks the server for each (product 5.3, 8.2)', async ({ page }) => {
  await page.goto('/users')
  await expect(filterBox(page).getByRole('option')).toHaveText([
    'All Status',
    'KYC Completed',
    'KYC Pending',
    'Banned',
    'Active',
  ])
  for (const [label, value, query] of [
    ['KYC Completed', 'completed', 'kycStatus=completed'],
    ['KYC Pending', 'pending', 'kycStatus=pending'],
    ['Banned', 'banned', 'kycBanned=true'],
    ['Active', 'active', 'kycBanned=false'],
  ] as const) {
    const asked = page.waitForRequest((request) => request.url().includes(`${query}&limit=50&page=1`))
    await filterBox(page).selectOption(label)
    await asked
    await expect(page).toHaveURL(`/users?status=${value}`)
  }
  await page.goBack()
  await expect(filterBox(page)).toHaveValue('banned')
  const states = rows(page)
    .getByRole('cell')
    .filter({ hasText: /^Banned/ })
  // While there are no rows yet, none can be banned either.
  await expect(rows(page).first()).toBeVisible()
  await expect(rows(page).getByRole('button', { name: /^Ban / })).toHaveCount(0)
  await expect(states).toHaveCount(await rows(page).count())
  await filterBox(page).selectOption('All Status')
  await expect(page).toHaveURL('/users')
})

test('pages of 50 with their footer, kept in the address (product 5.3, 14)', async ({ page, operator }) => {
  const { total } = (await (await operator.get('/api/users?limit=1')).json()) as { total: number }
  const pages = Math.ceil(total / 50)
  const count = total.toLocaleString('en-US')
  await page.goto('/users')
  await expect(page.getByText(`Showing 1 to 50 of ${count} entries`)).toBeVisible()
  await expect(page.getByText(`Page 1 of ${pages}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const first = await rows(page).first().getByRole('link').first().textContent()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL('/users?page=2')
  await expect(page.getByText(`Showing 51 to 100 of ${count} entries`)).toBeVisible()
  await expect(rows(page).first().getByRole('link').first()).not.toHaveText(first!)
  await page.reload()
  await expect(page.getByText(`Page 2 of ${pages}`)).toBeVisible()
  await page.goBack()
  await expect(page.getByText(`Page 1 of ${pages}`)).toBeVisible()
  await page.goto(`/users?page=${pages}`)
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.goto('/users?page=99999')
  await expect(page).toHaveURL(`/users?page=${pages}`)
})

test('bad values in the address fall back to their defaults (product 4.3)', async ({ page }) => {
  await page.goto('/users?page=zero&status=everyone&search=a%00b')
  await expect(page.getByText('Page 1 of')).toBeVisible()
  await expect(filterBox(page)).toHaveValue('')
  await expect(searchBox(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(50)
})

test('a search of more than 1,000 hits shows its page before the exact total (product 4.5)', async ({
  page,
  operator,
}) => {
  const counted = Promise.withResolvers<void>()
  await page.route(/total=exact/, async (route) => {
    await counted.promise
    await route.continue()
  })
  await page.goto('/users?search=e')
  await expect(rows(page)).toHaveCount(50)
  const { total, totalExact } = await (await operator.get('/api/users?search=e&total=exact&limit=1')).json()
  expect([total > 1000, totalExact]).toEqual([true, true])
  await expect(page.getByText('Showing 1 to 50 of more than 1,000 entries')).toBeVisible()
  counted.resolve()
  await expect(page.getByText(`Showing 1 to 50 of ${total.toLocaleString('en-US')} entries`)).toBeVisible()
})

test('the list reads Loading... and offers to try again after a failure (product 4.1)', async ({ page }) => {
  const answered = Promise.withResolvers<void>()
  let calls = 0
  await page.route(/\/api\/users\/?\?/, async (route) => {
    await answered.promise
    calls += 1
    if (calls > 1) return route.continue()
    await route.fulfill({ status: 503, json: { message: 'The database is away', code: 'unavailable' } })
  })
  await page.goto('/users?page=4')
  await expect(table(page)).toContainText('Loading...')
  await expect(page.getByText('Page 4', { exact: true })).toBeVisible()
  answered.resolve()
  await expect(page.getByRole('alert')).toContainText('Users could not be loaded: The database is away')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused()
})

test('Refresh fetches the list again and says Refreshed (product 9.4)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}`)
  await expect(rows(page)).toHaveCount(1)
  const asked = page.waitForRequest(/\/api\/users\/?\?/)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await asked
  await expectToast(page, 'Refreshed')
})

test("another operator's ban shows without a reload (product 3.4)", async ({ page, server, operator }) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}`)
  await expectLive(page)
  await expect(findRow(page, member.name)).toContainText('Active')
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Seen elsewhere' } })
  await expect(findRow(page, member.name)).toContainText('Seen elsewhere')
})

test('axe finds nothing on the list and its dialogs, wide and narrow (product 3.8)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
  await expectAccessible(page)
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await dialog(page).getByLabel('Reason').fill('Fraud')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/users')
  await expect(table(page).getByRole('row')).toHaveCount(51)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
