import type { Page } from '@playwright/test'
import { expect, expectAccessible, setTheme, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { importOrder } from './support/orders.ts'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Saved views of this list' })
const pinned = (page: Page) => page.getByRole('list', { name: 'Saved views' })

test('a view is saved by keyboard, and found again over its list and in the sidebar (product 4.7)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  for (const status of ['paid', 'paid', 'cancelled']) await importOrder(server, member, { status })
  await page.goto(`/orders?userId=${member.id}&status=paid`)
  await expect(tabs(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Save View' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save View' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Paid by one')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const view = tabs(page).getByRole('link', { name: 'Paid by one' })
  await expect(view).toHaveText('Paid by one2')
  await expect(view).toHaveAttribute('aria-current', 'true')
  await expectAccessible(page)
  await setTheme(page, 'dark')
  await expectAccessible(page)

  await tabs(page).getByRole('link', { name: 'All' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/orders')
  await expect(view).not.toHaveAttribute('aria-current')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await pinned(page).getByRole('link', { name: 'Paid by one' }).click()
  await expect(page.getByText('Showing 1 to 2 of 2 entries')).toBeVisible()
})

test('a view whose filter no longer exists says so, in its tab and in its list (product 4.7)', async ({
  page,
  server,
}) => {
  await server.sql(`INSERT INTO list_views (owner_id, list, name, search, is_shared)
    SELECT id, 'orders', 'From the past', 'colour=red&status=paid', false FROM admins WHERE username = 'grace'`)
  await page.goto('/orders')
  const view = tabs(page).getByRole('link', { name: 'From the past' })
  await expect(view).toHaveAccessibleName('From the past One of its filters no longer exists')
  await view.click()
  await expect(page.getByText('Unknown filter: colour')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Status filter' })).toHaveValue('paid')
})

test('the place of the views is kept before they are counted, so that no row moves (product 4.7)', async ({
  page,
  server,
}) => {
  await server.sql(`INSERT INTO list_views (owner_id, list, name, search, is_shared)
    SELECT id, 'users', 'Banned', 'status=banned', false FROM admins WHERE username = 'grace'`)
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/views?*', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/users')
  const head = page.getByRole('columnheader', { name: 'Joined' })
  await expect(head).toBeVisible()
  const before = await head.boundingBox()
  answer()
  await expect(tabs(page).getByRole('link', { name: 'Banned' })).toBeVisible()
  expect(await head.boundingBox()).toEqual(before)
})
