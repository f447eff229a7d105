import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'

const refresh = async (page: Page) => {
  await page.goto('/users')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Refreshed')
  return toast
}

test('one toast is visible at a time and closes itself after 5000 ms (product 9.7)', async ({ page }) => {
  await page.clock.install()
  const toast = await refresh(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(toast).toHaveCount(1)
  await page.mouse.move(10, 400)
  await page.clock.fastForward(4000)
  await expect(toast).toHaveCount(1)
  await page.clock.fastForward(1500)
  await expect(toast).toHaveCount(0)
})

test('F8 focuses the notification region (product 9.7)', async ({ page }) => {
  const toast = await refresh(page)
  await expect(async () => {
    await page.keyboard.press('F8')
    await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toHaveCount(1, {
      timeout: 500,
    })
  }).toPass()
  await expect(toast).toHaveCount(1)
})

test('a swipe to the right past 50 px dismisses a toast (product 9.7)', async ({ page }) => {
  const toast = await refresh(page)
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
  await expect(toast).toHaveCount(0, { timeout: 2000 })
})
