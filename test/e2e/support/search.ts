import type { Page } from '@playwright/test'
import { expect } from './harness.ts'

export const box = (page: Page) => page.getByRole('combobox', { name: 'Search users, transactions' })
export const popup = (page: Page) => page.getByRole('listbox', { name: 'Search results' })
export const group = (page: Page, name: string) => popup(page).getByRole('group', { name })
export const commands = (page: Page) => group(page, 'Screens and actions').getByRole('option')
/** What the popup says of itself; the first status in the header is the Live dot's. */
export const status = (page: Page) => page.getByRole('banner').getByRole('status').last()
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Types into the box that `key` opens, wherever the focus is. */
export async function search(page: Page, typed: string, key = '/') {
  await expect(box(page)).toBeAttached()
  await page.keyboard.press(key)
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(typed)
}

/** Opens the first option, which is one of this group, without choosing it first. */
export async function choose(page: Page, name: string) {
  const option = group(page, name).getByRole('option').first()
  await expect(option).toBeVisible()
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(popup(page)).toHaveCount(0)
  await expect(box(page)).toHaveValue('')
}
