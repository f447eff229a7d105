import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember } from './support/members.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Users' }).getByRole('table')
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const nameIn = (page: Page, at: number) => rows(page).nth(at).getByRole('link').first()
const peek = (page: Page) => page.getByRole('complementary', { name: /^Peek: / })
const heading = (page: Page) => peek(page).getByRole('heading', { level: 2 }).first()

async function openMembers(page: Page, width = 1440) {
  await page.setViewportSize({ width, height: 900 })
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
}

/** Presses in the row, where its link lies over the cell. */
const press = (page: Page, at: number) => rows(page).nth(at).getByRole('cell').nth(1).click({ force: true })

test('Space opens Peek, and J walks the list with Peek following (product 5.19)', async ({ page }) => {
  await openMembers(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(peek(page)).toBeVisible()
  await expect(heading(page)).toHaveText((await nameIn(page, 0).textContent())!)
  await expect(peek(page).getByText(/^1 of 1,2\d\d$/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText((await nameIn(page, 1).textContent())!)
  await expect(rows(page).nth(1)).toHaveAttribute('aria-current', 'true')
  await expect(nameIn(page, 1)).toBeFocused()
  await peek(page).getByRole('button', { name: 'Previous, K' }).click()
  await expect(heading(page)).toHaveText((await nameIn(page, 0).textContent())!)
  await page.keyboard.press('Escape')
  await expect(peek(page)).toHaveCount(0)
  await expect(nameIn(page, 0)).toBeFocused()
})

test('Enter opens the page of the member in Peek (product 5.19)', async ({ page }) => {
  await openMembers(page)
  await press(page, 2)
  await expect(heading(page)).toBeVisible()
  const href = await nameIn(page, 2).getAttribute('href')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(href!)
})

test('Peek opens by a press and Back closes it, also after a walk (product 5.19)', async ({ page }) => {
  await openMembers(page)
  await press(page, 0)
  await expect(page).toHaveURL(/\?peek=m-/)
  await expect(heading(page)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText((await nameIn(page, 2).textContent())!)
  await page.goBack()
  await expect(peek(page)).toHaveCount(0)
  await expect(page).toHaveURL('/users')
})

test('a pasted link opens Peek on any page of the list (product 5.19)', async ({ page, server }) => {
  const member = await importMember(server, { createdAt: '2019-01-05T09:07:00Z' })
  await page.goto(`/users?peek=m-${member.id}`)
  await expect(heading(page)).toHaveText(member.name)
  await expect(peek(page).getByText('not in this list')).toBeVisible()
  await page.goto(`/users?search=${member.email}&peek=m-${member.id}`)
  await expect(peek(page).getByText('1 of 1', { exact: true })).toBeVisible()
  await peek(page).getByRole('button', { name: 'Close, Escape' }).click()
  await expect(peek(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/users?search=${encodeURIComponent(member.email)}`)
})

test('the ban of Peek opens the dialog of the list (product 5.19)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}&peek=m-${member.id}`)
  await expect(heading(page)).toHaveText(member.name)
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: `Ban ${member.name}?` })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Card stolen')
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(peek(page).getByRole('button', { name: 'Unban User' })).toBeVisible()
  await expect(peek(page).getByText('Card stolen').first()).toBeVisible()
})

test('a change by another operator waits for Reload (product 5.19)', async ({ page, server, operator }) => {
  const member = await importMember(server)
  await page.goto(`/users?search=${member.email}&peek=m-${member.id}`)
  await expect(peek(page).getByRole('button', { name: 'Ban User' })).toBeVisible()
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Chargeback' } })
  await expect(peek(page).getByText('This member has changed meanwhile.')).toBeVisible()
  await expect(peek(page).getByRole('button', { name: 'Ban User' })).toBeVisible()
  await peek(page).getByRole('button', { name: 'Reload' }).click()
  await expect(peek(page).getByRole('button', { name: 'Unban User' })).toBeVisible()
})

test('a failure stays in Peek and can be retried, while the list lives on (product 5.19)', async ({ page }) => {
  await page.route('**/api/users/*/peek**', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of order' } }),
  )
  await openMembers(page)
  await press(page, 0)
  await expect(peek(page).getByText('Could not load this member')).toBeVisible()
  await expect(rows(page)).toHaveCount(50)
  await page.unroute('**/api/users/*/peek**')
  await peek(page).getByRole('button', { name: 'Retry' }).click()
  await expect(heading(page)).toHaveText((await nameIn(page, 0).textContent())!)
})

test('an order in Peek has its amount, and J walks the orders (product 5.19)', async ({ page }) => {
  await page.goto('/orders')
  const row = page.getByRole('region', { name: 'Orders' }).locator('tr[data-row]')
  await expect(row.first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const number = (at: number) => row.nth(at).locator('[data-row-link]').getAttribute('aria-label')
  await expect(heading(page)).toHaveText((await number(0))!)
  await page.keyboard.press('j')
  await expect(heading(page)).toHaveText((await number(1))!)
  await expect(peek(page).getByText('Received', { exact: true })).toBeVisible()
})

test('a transfer in Peek is the member of its wallet (product 5.19)', async ({ page }) => {
  await page.goto('/transactions')
  const wallet = page.getByRole('region', { name: 'Transactions' }).locator('tr[data-row] [data-row-link]').first()
  const member = /\/users\/([^?]+)/.exec((await wallet.getAttribute('href'))!)![1]
  await wallet.focus()
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(`/transactions?peek=m-${member}`)
  await expect(peek(page).getByRole('link', { name: 'Open Page' }).first()).toHaveAttribute('href', `/users/${member}`)
})

test('Peek stands beside the list from 1600 px, over it below (product 5.19)', async ({ page }) => {
  await openMembers(page, 1680)
  const list = page.getByRole('region', { name: 'Users' })
  const before = (await list.boundingBox())!
  await press(page, 0)
  await expect(heading(page)).toBeVisible()
  await expect.poll(async () => (await list.boundingBox())!.width).toBe(before.width - 520)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect.poll(() => peek(page).boundingBox()).toMatchObject({ x: 760, width: 520 })
  // The list has the width that it has without Peek.
  expect((await list.boundingBox())!.width).toBeGreaterThan(1200)
})

test('Peek is a sheet that holds the focus on a phone (product 5.19)', async ({ page }) => {
  await openMembers(page, 375)
  await nameIn(page, 0).click()
  const sheet = page.getByRole('dialog', { name: /^Peek: / })
  await expect(sheet.getByRole('heading', { level: 2 }).nth(1)).toBeVisible()
  for (let n = 0; n < 30; n += 1) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(nameIn(page, 0)).toBeFocused()
})
