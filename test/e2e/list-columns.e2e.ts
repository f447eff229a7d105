import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Orders' }).getByRole('table')
const heads = (page: Page) => table(page).getByRole('columnheader')

test('the columns of a list keep their places from page to page (product 4.1)', async ({ page }) => {
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/orders')
    const readPlaces = () => heads(page).evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x))
    await expect(page.getByText(/^Showing 1 to 50/)).toBeVisible()
    const places = await readPlaces()
    await page.getByRole('button', { name: /^Next/ }).click()
    await expect(page.getByText(/^Showing 51 to/)).toBeVisible()
    expect(await readPlaces()).toEqual(places)
  }
})

test('on a phone the first rows move nothing that is in sight (product 4.1)', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) =>
      shifts.push(...list.getEntries().map((entry) => (entry as PerformanceEntry & { value: number }).value)),
    ).observe({ type: 'layout-shift', buffered: true })
  })
  const next = page.getByRole('button', { name: /^Next/ })
  for (const [path, call] of [
    ['/orders', /\/api\/orders\/?\?/],
    ['/bulk', /\/api\/bulk\/?\?/],
  ] as const) {
    const isHeld = Promise.withResolvers<void>()
    await page.route(call, async (route) => {
      await isHeld.promise
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect(next).toBeHidden()
    isHeld.resolve()
    await expect(next).toBeVisible()
    const shifted = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    expect(shifted, path).toBeLessThanOrEqual(0.01)
  }
})
