import type { Page } from '@playwright/test'

export interface Screen {
  /** The name of the picture's file. */
  name: string
  title: string
  /** Shown without signing in. */
  isPublic?: true
  /** Navigates the page and waits until it is loaded. */
  show: (page: Page) => Promise<unknown>
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

/** A list: its address, and a text of the loaded table. */
export const list = (name: string, title: string, path: string, text: string | RegExp): Screen => ({
  name,
  title,
  show: async (page) => {
    await page.goto(path)
    await page.getByRole('table').getByText(text).first().waitFor()
  },
})

/** A tab of a verified member. */
export const memberTab = (name: string, title: string, tab: string): Screen => ({
  name,
  title,
  show: async (page) => {
    await page.goto('/users?status=completed')
    const verified = page.getByRole('table').getByRole('row').filter({ hasText: 'Verified' })
    await verified.first().getByRole('link').first().click()
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  },
})

/** What opens when a button of another screen is pressed. */
export const dialog = (name: string, title: string, path: string, opener: string | RegExp): Screen => ({
  name,
  title,
  show: async (page) => {
    await page.goto(path)
    await button(page, opener).click()
    await page.getByRole('dialog').waitFor()
  },
})
