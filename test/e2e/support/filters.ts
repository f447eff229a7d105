import type { Locator, Page } from '@playwright/test'

/** The menu of the filters of the list on the screen. */
export const filterMenu = (page: Page): Locator => page.getByRole('dialog', { name: 'Filters' })

/** Chooses what is typed from the menu of filters, by keyboard. */
export async function chooseFilter(page: Page, typed: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filterMenu(page).getByRole('combobox', { name: 'Filter by' }).fill(typed)
  await page.keyboard.press('Enter')
}

export const filterChip = (page: Page, words: string): Locator =>
  page.getByRole('button', { name: `Remove filter: ${words}`, exact: true })
