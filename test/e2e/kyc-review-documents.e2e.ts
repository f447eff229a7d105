import type { Page } from '@playwright/test'
import { expect, expectToast, test } from './support/harness.ts'
import { findCaseWithoutSelfie, findResubmittedCase, reason } from './support/kyc-cases.ts'

const picture = (page: Page, label: string) => page.getByRole('img', { name: new RegExp(`^${label} of`) })
const transform = (page: Page, label: string) => picture(page, label).evaluate((element) => element.style.transform)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('documents are zoomed, rotated and moved together or apart (product 6.4)', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  const labels = ['Identity front', 'Identity back', 'Selfie']
  for (const label of labels) await expect(picture(page, label)).toBeVisible()
  await expect(page.getByRole('region', { name: /Entered by member/ })).toContainText('Attempt 1')
  for (const _ of [1, 2, 3, 4, 5, 6]) await page.keyboard.press('+')
  await expect(page.getByRole('status', { name: 'Zoom' })).toHaveText('381 %')
  await page.keyboard.press('t')
  await page.keyboard.press('ArrowRight')
  for (const label of labels) {
    await expect.poll(() => transform(page, label)).toContain('rotate(90deg)')
    await expect.poll(() => transform(page, label)).not.toContain('translate(0px, 0px)')
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

test('a document chosen again has the whole stage, until it is chosen once more (product 5.10)', async ({
  page,
  server,
}) => {
  const { id } = await findResubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(3)
  const width = async (label: string) => (await page.getByRole('figure', { name: label }).boundingBox())!.width
  const usual = await width('Identity back')
  await page.keyboard.press('b')
  await page.keyboard.press('b')
  await expect(button(page, 'Identity back')).toHaveAttribute('aria-pressed', 'true')
  expect(await width('Identity back')).toBeGreaterThan(usual * 1.5)
  expect(await width('Identity front')).toBeLessThan(usual)
  await button(page, 'Identity front').click()
  await expect(button(page, 'Identity front')).toHaveAttribute('aria-pressed', 'true')
  expect(await width('Identity front')).toBeGreaterThan(usual * 1.5)
  await page.keyboard.press('f')
  expect(await width('Identity front')).toBe(usual)
})

test('a document that does not come tells why in its place, and the others stand (product 9.3)', async ({
  page,
  server,
}) => {
  const { id } = await findResubmittedCase(server)
  let tokens = 0
  await page.route('**/api/documents/token', (route) => {
    tokens += 1
    return tokens === 1 ? route.fulfill({ json: { token: 'x'.repeat(43) } }) : route.continue()
  })
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').getByRole('alert')).toContainText('Document Access Issue')
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(2)
  await page.getByRole('figure').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(3)
  // Only the open case's documents are asked for: three, and one of them twice.
  expect(tokens).toBe(4)
})

test('approving documents that nobody has seen is said, and takes a second press', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  let isDown = true
  await page.route('**/api/documents/token', (route) =>
    isDown ? route.fulfill({ json: { token: 'x'.repeat(43) } }) : route.continue(),
  )
  const reviewed = page.waitForRequest('**/verifications/*/review').then(
    () => true,
    () => false,
  )
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').getByRole('alert')).toHaveCount(3)
  await page.keyboard.press('a')
  const decision = page.getByRole('group', { name: /^Approve KYC of/ })
  await expect(decision).toContainText('No document has been on screen.')
  await page.keyboard.press('Enter')
  await expect(decision.getByRole('alert')).toContainText('Press again to approve anyway.')
  await expect(button(page, 'Approve anyway')).toBeFocused()
  isDown = false
  // Each its own button, which stands a moment longer than the press.
  for (const figure of await page.getByRole('figure').all())
    await figure.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(3)
  await expect(decision).not.toContainText('on screen')
  await expect(button(page, 'Approve')).toBeVisible()
  await page.close()
  expect(await reviewed).toBe(false)
})

test('a missing selfie is shown, named and offered as the reason (product 5.10)', async ({ page, server }) => {
  const { id } = await findCaseWithoutSelfie(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').filter({ hasText: 'Selfie' })).toContainText('Missing')
  await expect(picture(page, 'Identity front')).toBeVisible()
  await expect(page.getByText('Selfie is missing.')).toBeVisible()
  await page.keyboard.press('a')
  const decision = page.getByRole('group', { name: /^Approve KYC of/ })
  await expect(decision).toContainText('Selfie is missing.')
  await page.keyboard.press('Enter')
  await expect(decision.getByRole('alert')).toContainText('Press again to approve anyway.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await expect(button(page, 'Selfie missing')).toBeVisible()
  await page.keyboard.press('Alt+8')
  await expect(reason(page)).toHaveValue('The selfie is missing. Please upload one. ')
})

test('a whole case whose pictures were on screen takes two keys', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('figure').getByRole('img')).toHaveCount(3)
  await page.keyboard.press('a')
  await expect(button(page, 'Approve')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectToast(page, 'KYC Approved Successfully')
})
