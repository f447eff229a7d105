import type { Page } from '@playwright/test'
import { expect, setTheme, test } from './support/harness.ts'

const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

test('the theme is the system’s by default, also when that changes (product 3.3)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  expect(await theme(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBeNull()
})

test('the theme switches by one click and is kept under ui-theme over a reload (product 3.3)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('dark')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
})

test('the theme can be given back to the system in the account menu (product 3.3)', async ({ page }) => {
  await setTheme(page, 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.getByRole('button', { name: /Super Admin/ }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('system')
})

test('the theme is right before anything is painted (product 3.3)', async ({ page }) => {
  await setTheme(page, 'dark')
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body && !('firstTheme' in window))
        Object.assign(window, { firstTheme: document.documentElement.dataset.theme })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => (window as { firstTheme?: string }).firstTheme)).toBe('dark')
})

test('a theme switch starts no colour transition', async ({ page }) => {
  await setTheme(page, 'light')
  await page.goto('/users')
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  const started = await page.evaluate(() => {
    document.querySelector<HTMLElement>('[aria-label="Switch to dark theme"]')?.click()
    return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length
  })
  expect(started).toBe(0)
  expect(await theme(page)).toBe('dark')
})
