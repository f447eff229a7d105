import type { Locator, Page } from '@playwright/test'
import { filterMenu } from './filters.ts'
import { expect } from './harness.ts'
import { box, choose, heading, popup } from './search.ts'

const firstRow = (page: Page) => page.locator('main tr[data-row]').first()

/** Presses keys as an operator does who knows the console, and counts them. */
export class Operator {
  /** A key with those that are held for it counts as one. */
  presses = 0
  /** Each key that goes down, also those that are held for another. */
  keys = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  count(key: string) {
    this.presses += 1
    this.keys += key.length === 1 ? 1 : key.split('+').length
  }

  async press(...keys: string[]) {
    for (const key of keys) {
      await this.page.keyboard.press(key)
      this.count(key)
    }
  }

  async typeInSearch(typed: string, key = '/') {
    await expect(box(this.page)).toBeAttached()
    await this.press(key)
    await expect(box(this.page)).toBeFocused()
    await this.press(...typed)
  }

  /** Opens the first hit of the search, which is one of this group. */
  async find(typed: string, group: string, key?: string) {
    await this.typeInSearch(typed, key)
    await choose(this.page, group)
    this.count('Enter')
  }

  /** Goes to a part of the console by the search. */
  async goTo(typed: string, title: string, ready = firstRow(this.page)) {
    await this.find(typed, 'Screens and actions')
    await expect(heading(this.page)).toHaveText(title)
    await expect(ready).toBeVisible()
  }

  /** Opens a list with what is typed, by the last options of the search, and the first row in Peek. */
  async peekInList(typed: string, list: 'User Management' | 'Orders') {
    await this.typeInSearch(typed)
    await expect(popup(this.page)).toHaveAttribute('aria-busy', 'false')
    await this.press(...(list === 'Orders' ? ['ArrowUp'] : ['ArrowUp', 'ArrowUp']))
    const option = popup(this.page).getByRole('option', { selected: true })
    await expect(option).toHaveText(`Search ${list} for “${typed}”`)
    await this.press('Enter')
    await expect(firstRow(this.page)).toContainText(typed, { ignoreCase: true })
    await this.press('j', 'Space')
  }

  /** Chooses the first filter that is found by these letters. */
  async filter(typed: string, option: string, hits: number) {
    await this.press('f')
    await expect(filterMenu(this.page).getByRole('combobox')).toBeFocused()
    await this.press(...typed)
    await expect(filterMenu(this.page).getByRole('option').first()).toContainText(option)
    await this.press('Enter')
    await expect(this.page.getByText(`of ${hits} entries`)).toBeVisible()
  }

  /** Moves the focus by Tab. */
  async tabTo(place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await expect(place).toBeVisible()
    for (let at = 0; at < 40; at += 1) {
      if (await place.evaluate((element) => element === document.activeElement)) return
      await this.press(key)
    }
    await expect(place).toBeFocused()
  }
}
