import type { Page } from '@playwright/test'
import { stopClock } from './support/clock.ts'
import { expect, test } from './support/harness.ts'

/** Shows a toast at an instant that lasts: it closes itself only when the page's time is moved on. */
async function showToast(page: Page) {
  const toasts = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await page.clock.install()
  await page.goto('/users')
  // The first toast loads their code.
  await refresh.click()
  await expect(toasts).toContainText('Refreshed')
  await stopClock(page)
  await toasts.evaluateAll((shown) => shown.forEach((toast) => toast.setAttribute('data-first', '')))
  await refresh.click()
  await expect(toasts.and(page.locator(':not([data-first])'))).toContainText('Refreshed')
  return toasts
}

test('one toast is visible at a time and closes itself after 5000 ms (product 9.7)', async ({ page }) => {
  const toast = await showToast(page)
  await expect(toast).toHaveCount(1)
  await page.mouse.move(10, 400)
  await page.clock.runFor(4999)
  await expect(toast).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(toast).toHaveCount(0)
})

test('F8 focuses the notification region (product 9.7)', async ({ page }) => {
  const toast = await showToast(page)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toHaveCount(1)
  await expect(toast).toHaveCount(1)
})

test('a swipe to the right past 50 px dismisses a toast (product 9.7)', async ({ page }) => {
  const toast = await showToast(page)
  const swipe = async (distance: number) => {
    const box = (await toast.boundingBox())!
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + 30, y)
    await page.mouse.down()
    await page.mouse.move(box.x + 30 + distance / 2, y, { steps: 4 })
    await page.mouse.move(box.x + 30 + distance, y, { steps: 4 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast).toHaveCount(1)
  await swipe(80)
  await expect(toast).toHaveCount(0)
})
