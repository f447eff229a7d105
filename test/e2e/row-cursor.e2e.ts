import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'

// The row's link lies over its cells, which is what `force` allows.
const table = (page: Page) => page.getByRole('region', { name: 'Users' }).getByRole('table')
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^View / }) })
const activeRow = (page: Page) => table(page).locator('tr[aria-current=true]')
const pager = (page: Page) => page.getByText(/^Page \d/)

async function openMembers(page: Page, search = '') {
  await page.goto(`/users${search}`)
  await expect(rows(page).first()).toBeVisible()
}

test('J and K move the active row, and the focus with it (product 4.9)', async ({ page }) => {
  await openMembers(page)
  await expect(activeRow(page)).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(rows(page).nth(0)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(activeRow(page)).toHaveCount(1)
  await expect(rows(page).nth(1)).toHaveAttribute('aria-current', 'true')
  await expect(rows(page).nth(1).getByRole('link').first()).toBeFocused()
})

test('a question mark shows the keys of the list (product 4.9)', async ({ page }) => {
  await openMembers(page)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys).toContainText('Look at the row beside the list')
  await expect(keys).toContainText('Select the next or previous row too')
  await page.keyboard.press('Escape')
  await page.goto('/transactions')
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeVisible()
  await page.keyboard.press('?')
  await expect(keys).toContainText('Filter')
  await expect(keys).not.toContainText('Select')
})

test('J on a page’s last row goes on with the next page, K comes back (product 4.9)', async ({ page }) => {
  await openMembers(page)
  await rows(page).last().getByRole('link').first().focus()
  await page.keyboard.press('j')
  await expect(pager(page)).toHaveText(/^Page 2 of/)
  await expect(rows(page).first()).toHaveAttribute('aria-current', 'true')
  await expect(rows(page).first()).toBeInViewport()
  await page.keyboard.press('k')
  await expect(pager(page)).toHaveText(/^Page 1 of/)
  await expect(rows(page).last()).toHaveAttribute('aria-current', 'true')
  await expect(rows(page).last()).toBeInViewport()
})

test('J and K are letters in a text field and mean nothing under a dialog (product 3.9)', async ({ page }) => {
  await openMembers(page)
  const banned = rows(page)
    .filter({ has: page.getByRole('button', { name: /^Ban / }) })
    .first()
  await banned.getByRole('button', { name: /^Ban / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await expect(banned).toHaveAttribute('aria-current', 'true')
  // Last, since what is typed changes the rows.
  const search = page.getByRole('searchbox', { name: 'Search by name or email' })
  await search.press('j')
  await expect(search).toHaveValue('j')
})

test('Enter opens the page of the active row (product 4.9)', async ({ page, server }) => {
  const member = await importMember(server, { legalLastName: newWord() })
  await openMembers(page, `?search=${member.email}`)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('a press anywhere in a row is one of its link (product 4.9)', async ({ page, server }) => {
  const member = await importMember(server)
  for (const place of [1, 3]) {
    await openMembers(page, `?search=${member.email}`)
    await rows(page).first().getByRole('cell').nth(place).click({ force: true })
    await expect(page).toHaveURL(new RegExp(`peek=m-${member.id}$`))
  }
})

test('a press with Ctrl anywhere in a row opens its page in a new tab (product 4.9)', async ({
  page,
  context,
  server,
}) => {
  const member = await importMember(server)
  await openMembers(page, `?search=${member.email}`)
  const opened = context.waitForEvent('page')
  await rows(page)
    .first()
    .getByRole('cell')
    .nth(2)
    .click({ modifiers: ['ControlOrMeta'], force: true })
  const tab = await opened
  await expect(tab).toHaveURL(`/users/${member.id}`)
  await tab.close()
  const second = context.waitForEvent('page')
  await rows(page)
    .first()
    .getByRole('time')
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(await second).toHaveURL(`/users/${member.id}`)
  await expect(page).toHaveURL(/\/users\?search=/)
})

test('the buttons of a row lie above its link (product 4.9)', async ({ page, server }) => {
  const member = await importMember(server)
  await openMembers(page, `?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page).toHaveURL(/\/users\?search=/)
})
