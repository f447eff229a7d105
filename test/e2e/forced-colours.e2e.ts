import type { Locator } from '@playwright/test'
import { buildSubmission, importMember } from './support/members.ts'
import { expect, test } from './support/harness.ts'

const readStyle = (locator: Locator, property: 'borderBottomColor' | 'outlineStyle' | 'backgroundColor') =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], property)

test('forced colours keep the current place, the chosen tab and the bars', async ({ page, server }) => {
  const member = await importMember(server)
  await server.importLines(buildSubmission(member.id))
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/users/${member.id}`)
  const ground = await readStyle(page.locator('body'), 'backgroundColor')
  const chosen = page.getByRole('tab', { selected: true })
  const other = page.getByRole('tab', { selected: false }).first()
  expect(await readStyle(chosen, 'borderBottomColor')).not.toBe(ground)
  expect(await readStyle(other, 'borderBottomColor')).toBe(ground)
  const places = page.getByRole('navigation', { name: 'Main' })
  expect(await readStyle(places.getByRole('link', { name: 'User Management' }), 'outlineStyle')).toBe('solid')
  expect(await readStyle(places.getByRole('link', { name: 'Orders' }), 'outlineStyle')).toBe('none')
  const progress = page.getByRole('region', { name: 'Summary' }).locator('.keep-colour')
  await expect(progress).toHaveCount(4)
  expect(await readStyle(progress.first(), 'backgroundColor')).not.toBe(
    await readStyle(progress.last(), 'backgroundColor'),
  )
})

test('a wish for more contrast makes quiet text and lines stronger', async ({ page }) => {
  await page.goto('/users')
  const look = () =>
    page.evaluate(() => {
      const root = getComputedStyle(document.documentElement)
      return ['--border', '--text-quiet'].map((name) => root.getPropertyValue(name))
    })
  const usual = await look()
  await page.emulateMedia({ contrast: 'more' })
  const strong = await look()
  for (const [index, value] of strong.entries()) expect(value).not.toBe(usual[index])
})

test('forced colours leave matched text in the search readable and underlined', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await page.goto('/users')
  await page.getByRole('combobox', { name: 'Search users, transactions' }).fill('Ord')
  const match = page.getByRole('option', { name: 'Orders', exact: true }).locator('b')
  await expect(match).toHaveCSS('text-decoration-line', 'underline')
  const [ink, around] = await match.evaluate((element) =>
    [element, element.parentElement!].map((each) => getComputedStyle(each).color),
  )
  expect(ink).toBe(around)
})

test('forced colours give the search, dialogs and toasts an edge', async ({ page, server }) => {
  const member = await importMember(server)
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('/')
  const popup = page
    .getByRole('search')
    .locator('div')
    .filter({ has: page.getByRole('listbox') })
  await expect(popup.first()).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Ban / }).click()
  await expect(page.getByRole('dialog')).toHaveCSS('outline-style', 'solid')
})
