import type { Page } from '@playwright/test'
import { expect, expectToast, test } from './support/harness.ts'
import { importMember } from './support/members.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Users' }).getByRole('table')
const findRow = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^View / }) })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search by name or email' })
const dialog = (page: Page) => page.getByRole('dialog')

test('a ban from the list needs a reason', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}`)
  const ban = page.getByRole('button', { name: `Ban ${member.name}` })
  await ban.click()
  await expect(dialog(page)).toHaveAccessibleName(`Ban ${member.name}?`)
  await expect(dialog(page)).toContainText('can no longer sign in or invest')
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
  await dialog(page).getByLabel('Reason').fill('   ')
  await expect(dialog(page).getByRole('button', { name: 'Ban User' })).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(findRow(page, member.name)).toContainText('Active')
  await expect(ban).toBeFocused()

  await ban.click()
  await dialog(page).getByLabel('Reason').fill('Stolen identity')
  const sent = page.waitForRequest(`**/api/users/${member.id}/ban`)
  let calls = 0
  page.on('request', (request) => (calls += Number(request.url().endsWith('/ban'))))
  await dialog(page)
    .getByRole('button', { name: 'Ban User' })
    .evaluate((button: HTMLButtonElement) => [button, button].forEach((each) => each.click()))
  expect((await sent).headers()['if-match']).toBe('"1"')
  expect((await sent).postDataJSON()).toEqual({ reason: 'Stolen identity' })
  await expectToast(page, 'User has been banned successfully', member.name)
  await expect(dialog(page)).toBeHidden()
  await expect(findRow(page, member.name).getByRole('cell').nth(3)).toHaveText('BannedStolen identity')
  expect(calls, 'of a double click').toBe(1)
})

test('a dialog whose code cannot be fetched says so, and the page stands (product 3.5)', async ({
  context,
  server,
}) => {
  const member = await importMember(server)
  const page = await context.newPage()
  await page.route('**/assets/ban-dialog-*.js', (route) => route.abort())
  await page.goto(`/users?search=${member.email}`)
  for (const _ of [1, 2]) {
    await page.getByRole('button', { name: `Ban ${member.name}` }).click()
    await expectToast(page, 'Could not be loaded')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(findRow(page, member.name)).toContainText('Active')
  }
})

test('unban from the list must be confirmed (product 9.5)', async ({ page, server, operator }) => {
  const member = await importMember(server)
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Stolen identity' } })
  await page.goto(`/users?search=${member.email}`)
  const confirm = page.getByRole('alertdialog')
  await page.getByRole('button', { name: `Unban ${member.name}` }).click()
  await expect(confirm).toContainText('Are you sure you want to unban this user?')
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(findRow(page, member.name)).toContainText('Banned')
  await page.getByRole('button', { name: `Unban ${member.name}` }).click()
  await confirm.getByRole('button', { name: 'Unban User' }).click()
  await expectToast(page, 'User has been unbanned successfully')
  await expect(findRow(page, member.name).getByRole('cell').nth(3)).toHaveText('Active')
})

test('a member is banned by keyboard alone (product 3.8)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto('/users')
  await searchBox(page).focus()
  await page.keyboard.type(member.email)
  await expect(rows(page)).toHaveCount(1)
  for (const label of [
    'Clear search',
    'Status filter',
    'Filter',
    'Columns',
    'Export CSV',
    'Refresh',
    'Users',
    'Select all on this page',
    'Joined',
    `Select ${member.name}`,
    member.name,
  ]) {
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus')).toHaveAccessibleName(label)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Fraud')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'User has been banned successfully')
  await expect(page.getByRole('button', { name: `Unban ${member.name}` })).toBeFocused()
})

test('the later of two operators keeps the text and reloads the member (product 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await dialog(page).getByLabel('Reason').fill('Seen it too')
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Seen first' } })
  await operator.post(`/api/users/${member.id}/unban`)
  await dialog(page).getByRole('button', { name: 'Ban User' }).click()
  await expectToast(page, 'Error', 'Failed to ban user')
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Seen it too')
  await expect(dialog(page).getByLabel('Reason')).toHaveAccessibleDescription(
    /by joan on \w+ \d+, \d+ at [\d:]+: now active/,
  )
  await dialog(page).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(page)).toContainText('This member is active; you can ban them now.')
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'User has been banned successfully')
  await expect(findRow(page, member.name)).toContainText('Seen it too')
})

test('a sign-in that ended over a typed reason is renewed in place, or left', async ({ page, server }) => {
  const member = await importMember(server)
  await page.route(`**/api/users/${member.id}/ban`, (route) =>
    route.fulfill({ status: 401, json: { message: 'Unauthorized', code: 'unauthorized' } }),
  )
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await dialog(page).getByLabel('Reason').fill('Fraud')
  await dialog(page).getByRole('button', { name: 'Ban User' }).click()
  const signIn = page.getByRole('dialog', { name: 'Sign in to go on' })
  await expect(signIn).toContainText('What you typed is still there and was not sent.')
  await signIn.getByRole('button', { name: 'Discard and Leave' }).click()
  await expect(page).toHaveURL('/login')
})

test('a dialog says that it cannot be fetched, also where the toaster cannot be', async ({ context, server }) => {
  const member = await importMember(server)
  const page = await context.newPage()
  await page.route(/\/assets\/(ban-dialog|toaster)-/, (route) => route.abort())
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Could not be loaded' })).toBeVisible()
})
