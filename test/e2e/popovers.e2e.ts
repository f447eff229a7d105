import { expect, test } from './support/harness.ts'

test('a popover neither covers its trigger nor stays beside another one', async ({ page }) => {
  await page.goto('/')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.click()
  const notices = page.getByRole('dialog', { name: 'Notifications' })
  await expect(notices).toBeVisible()
  const [trigger, content] = [(await bell.boundingBox())!, (await notices.boundingBox())!]
  expect(content.y).toBeGreaterThanOrEqual(trigger.y + trigger.height)
  await page.getByRole('button', { name: /Super Admin/ }).press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeVisible()
  await expect(notices).toBeHidden()
})

test('a dialog keeps its top edge while its content grows', async ({ page }) => {
  await page.goto('/tokens?add=true')
  const dialog = page.getByRole('dialog')
  const top = async () => (await dialog.boundingBox())!.y
  await expect(dialog).toBeVisible()
  // The dialog rises into place; what counts is where it stays.
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  const before = await top()
  await dialog.getByRole('button', { name: 'Add Token' }).click()
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  expect(await top()).toBe(before)
  await page.setViewportSize({ width: 640, height: 360 })
  await expect(dialog.getByRole('heading', { name: 'Add Token' })).toBeInViewport()
})
