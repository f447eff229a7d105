import type { Page } from '@playwright/test'
import { expect, test } from './harness.ts'
import { resubmittedCase } from './kyc-cases.ts'

const picture = (page: Page, label: string) => page.getByRole('img', { name: new RegExp(`^${label} of`) })
const transform = (page: Page, label: string) => picture(page, label).evaluate((element) => element.style.transform)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('PRODUCT 3.17: the documents stand side by side and are zoomed, rotated and moved as one, or apart', async ({
  page,
  server,
}) => {
  const { id } = await resubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  const labels = ['Identity front', 'Identity back', 'Selfie']
  for (const label of labels) await expect(picture(page, label)).toBeVisible()
  await expect(page.getByRole('region', { name: /Typed data/ })).toContainText('Attempt 1')
  for (const _ of [1, 2, 3, 4, 5, 6]) await page.keyboard.press('+')
  await expect(page.getByRole('status', { name: 'Zoom' })).toHaveText('381 %')
  await page.keyboard.press('t')
  await page.keyboard.press('ArrowRight')
  for (const label of labels) {
    await expect.poll(() => transform(page, label)).toContain('rotate(90deg)')
    expect(await transform(page, label)).not.toContain('translate(0px, 0px)')
  }
  await page.keyboard.press('0')
  for (const label of labels) await expect.poll(() => transform(page, label)).toContain('translate(0px, 0px)')
  await page.keyboard.press('l')
  await page.keyboard.press('b')
  await expect(button(page, 'Identity back')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('t')
  await expect.poll(() => transform(page, 'Identity back')).toContain('rotate(180deg)')
  expect(await transform(page, 'Identity front')).toContain('rotate(90deg)')
  const before = await transform(page, 'Selfie')
  await picture(page, 'Selfie').hover()
  await page.mouse.wheel(0, -300)
  await expect.poll(() => transform(page, 'Selfie')).not.toBe(before)
  expect(await transform(page, 'Identity back')).toContain('rotate(180deg)')
})

test('SPEC 8: a document that does not come tells why in its place, and the others stand', async ({ page, server }) => {
  const { id } = await resubmittedCase(server)
  let tokens = 0
  await page.route('**/api/documents/token', (route) => {
    tokens += 1
    return tokens === 1 ? route.fulfill({ json: { token: 'x'.repeat(43) } }) : route.continue()
  })
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').getByRole('alert')).toContainText('Document Access Issue')
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(2)
  await page.getByRole('figure').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(3)
  // Only the open case's documents are asked for: three, and one of them twice.
  expect(tokens).toBe(4)
})
