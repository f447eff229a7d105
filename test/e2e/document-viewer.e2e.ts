import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember, findMemberWithDocuments } from './support/members.ts'

const viewer = (page: Page) => page.getByRole('dialog')
const image = (page: Page) => viewer(page).getByRole('img')
const zoom = (page: Page) => viewer(page).getByRole('status', { name: 'Zoom' })
const trouble = (page: Page) => viewer(page).getByRole('alert')
const open = (page: Page, label: string) => page.getByRole('button', { name: `View ${label}` }).click()
const percent = async (page: Page) => Number.parseInt((await zoom(page).textContent()) ?? '', 10)
const transform = (page: Page) => image(page).evaluate((element) => element.style.transform)

test('a document is asked for by a token, kept 9 minutes, and shown in a modal viewer (product 5.4, 8.2, 14)', async ({
  page,
  server,
}) => {
  const { id } = await findMemberWithDocuments(server)
  let tokens = 0
  await page.route('**/api/documents/token', (route) => {
    tokens += 1
    return route.continue()
  })
  await page.goto(`/users/${id}?tab=kyc`)
  await expect(page.getByRole('button', { name: 'View Identity back' })).toBeVisible()
  expect(tokens).toBe(0)
  const before = Date.now()
  await open(page, 'Identity front')
  await expect(viewer(page)).toHaveAccessibleName('Identity front')
  await expect(image(page)).toBeVisible()
  expect(await image(page).evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  const kept = () =>
    page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('document-token:')))
  const [, value] = (await kept())!
  const { expiresAt } = JSON.parse(value) as { expiresAt: number }
  expect(expiresAt).toBeGreaterThanOrEqual(before + 9 * 60_000)
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 9 * 60_000)
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'View Identity front' })).toBeFocused()
  await open(page, 'Identity front')
  await expect(image(page)).toBeVisible()
  expect(tokens).toBe(1)
  await viewer(page).getByRole('button', { name: 'Close' }).click()
  await open(page, 'Selfie')
  await expect(viewer(page)).toHaveAccessibleName('Selfie')
  await expect(image(page)).toBeVisible()
  expect(tokens).toBe(2)
})

test('the viewer zooms, rotates and moves by keyboard, and closes by Escape (product 6.4)', async ({
  page,
  server,
}) => {
  const { id } = await findMemberWithDocuments(server)
  await page.goto(`/users/${id}?tab=kyc`)
  await open(page, 'Identity front')
  await expect(image(page)).toBeVisible()
  const fit = await percent(page)
  await page.keyboard.press('1')
  await expect(zoom(page)).toHaveText('100 %')
  for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('+')
  await expect(zoom(page)).toHaveText('305 %')
  const before = await transform(page)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => transform(page)).not.toBe(before)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => transform(page)).toBe(before)
  await page.keyboard.press('-')
  await expect(zoom(page)).toHaveText('244 %')
  await page.keyboard.press('r')
  await expect.poll(() => transform(page)).toContain('rotate(90deg)')
  for (const _ of [1, 2, 3]) await page.keyboard.press('r')
  await expect.poll(() => transform(page)).toContain('rotate(0deg)')
  await page.keyboard.press('0')
  await expect(zoom(page)).toHaveText(`${fit} %`)
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toBeHidden()
})

test('the viewer zooms, rotates and moves by mouse (product 6.4)', async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  await page.goto(`/users/${id}?tab=kyc`)
  await open(page, 'Identity front')
  await expect(image(page)).toBeVisible()
  const fit = await percent(page)
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => percent(page)).toBeGreaterThan(fit)
  await viewer(page).getByRole('button', { name: 'Zoom out' }).click()
  await viewer(page).getByRole('button', { name: 'Rotate' }).click()
  await expect.poll(() => transform(page)).toContain('rotate(90deg)')
  await viewer(page).getByRole('button', { name: '100 %' }).click()
  for (const _ of [1, 2, 3, 4, 5]) await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  await expect(zoom(page)).toHaveText('305 %')
  const before = await transform(page)
  await page.mouse.move(720, 450)
  await page.mouse.down()
  await page.mouse.move(780, 480, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => transform(page)).not.toBe(before)
  await viewer(page).getByRole('button', { name: 'Fit' }).click()
  await expect.poll(() => transform(page)).toContain('translate(0px, 0px)')
})

test('without a document View says "Document Not Available" (product 9.3)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}?tab=kyc`)
  await open(page, 'Selfie')
  await expectToast(page, 'Document Not Available', 'No document found for this user.')
  await expect(viewer(page)).toBeHidden()
})

test('a refused image shows "Document Access Issue" with message and status (product 9.3)', async ({
  page,
  server,
}) => {
  const { id } = await findMemberWithDocuments(server)
  // A token, new though it is, that the server does not know.
  await page.route('**/api/documents/token', (route) => route.fulfill({ json: { token: 'x'.repeat(43) } }))
  await page.goto(`/users/${id}?tab=kyc`)
  await open(page, 'Identity front')
  await expect(trouble(page)).toContainText('Document Access Issue')
  await expect(trouble(page)).toContainText('open the document again')
  await expect(trouble(page)).toContainText('Status 404')
  await page.unroute('**/api/documents/token')
  await viewer(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(image(page)).toBeVisible()
})

test("an ended session's stored token is dropped and replaced (product 6.4)", async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  await page.goto(`/users/${id}?tab=kyc`)
  await open(page, 'Identity front')
  await expect(image(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith('document-token:')))
      localStorage.setItem(key, JSON.stringify({ token: 'x'.repeat(43), expiresAt: Date.now() + 60_000 }))
  })
  await open(page, 'Identity front')
  await expect(image(page)).toBeVisible()
})

test('axe finds nothing on the viewer, wide and narrow (product 3.8)', async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(`/users/${id}?tab=kyc`)
    await open(page, 'Identity front')
    await expect(image(page)).toBeVisible()
    await expectAccessible(page)
  }
})

test('the documents of a member are walked by buttons and arrow keys (product 5.4)', async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  await page.goto(`/users/${id}?tab=kyc`)
  await open(page, 'Identity front')
  const place = viewer(page).getByRole('status', { name: 'Document' })
  await expect(place).toHaveText('1 of 3')
  await expect(image(page)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(place).toHaveText('1 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page)).toHaveAccessibleName('Identity back')
  await expect(image(page)).toBeVisible()
  // A picture that does not fit is moved instead.
  await page.keyboard.press('1')
  await page.keyboard.press('ArrowRight')
  await expect(place).toHaveText('2 of 3')
  const next = viewer(page).getByRole('button', { name: 'Next document' })
  await next.click()
  await expect(viewer(page)).toHaveAccessibleName('Selfie')
  await expect(next).toBeFocused()
  await expect(next).toBeDisabled()
  await expectAccessible(page)
})
