import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { findResubmittedCase } from './support/kyc-cases.ts'

// A phone on its side.
test.use({ viewport: { width: 844, height: 390 } })

/** Whether nothing lies over any corner of an element, and all of it is in the window. */
const isWhole = (target: Locator) =>
  target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return [left + 4, right - 4].every((x) =>
      [top + 4, bottom - 4].every((y) => element.contains(document.elementFromPoint(x, y))),
    )
  })

test('a rejection in a low window is in sight and leaves the document its height', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  for (const name of ['Rejection reason', 'Admin notes']) {
    const field = page.getByLabel(name)
    await field.focus()
    await expect.poll(() => isWhole(field), name).toBe(true)
    await expect.poll(() => isWhole(page.getByText(new RegExp(`^${name}`)).first()), name).toBe(true)
  }
  const stage = page.getByRole('figure').filter({ visible: true })
  await stage.scrollIntoViewIfNeeded()
  await expect(stage).toBeInViewport({ ratio: 1 })
  expect((await stage.boundingBox())!.height).toBeGreaterThanOrEqual(191)
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  await cancel.scrollIntoViewIfNeeded()
  await expect.poll(() => isWhole(cancel)).toBe(true)
})

test('the folded sidebar of a low window shows every screen', async ({ page }) => {
  await page.goto('/users')
  const screens = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(screens.last()).toBeInViewport({ ratio: 1 })
})

test('the buttons of a dialog stand in a low window, and cover no field in use', async ({ page }) => {
  await page.goto('/tokens')
  await page.getByRole('main').getByRole('button', { name: 'Add Token' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Add Token' })).toBeInViewport({ ratio: 1 })
  for (const field of await dialog.getByRole('textbox').all()) {
    await field.focus()
    await expect.poll(() => isWhole(field)).toBe(true)
  }
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('on a phone the form of a decision leaves the document in sight above it', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  for (const size of [
    { width: 375, height: 667 },
    { width: 320, height: 700 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`/kyc?review=${id}`)
    await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
    for (const action of ['Approve', 'Reject']) {
      await button(page, action).click()
      const form = page.getByRole('group', { name: new RegExp(`^${action} KYC of`) })
      await expect(button(page, 'Cancel')).toBeInViewport({ ratio: 1 })
      const sheet = (await form.locator('..').boundingBox())!
      expect(sheet.height).toBeLessThanOrEqual(size.height / 2 + 1)
      const stage = (await page.getByRole('figure').filter({ visible: true }).boundingBox())!
      expect(stage.y + stage.height).toBeLessThanOrEqual(sheet.y + 1)
      expect(stage.height).toBeGreaterThanOrEqual(150)
      await button(page, 'Cancel').click()
    }
  }
})

/** How many rows of pixels of an element are out of sight, or under something else. */
const coveredLines = (target: Locator) =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const lines = Array.from({ length: Math.floor(height) }, (_, line) => top + line + 0.5)
    return lines.filter((y) => !element.contains(document.elementFromPoint(left + width / 2, y))).length
  })

for (const [width, height] of [
  [1366, 640],
  [1280, 720],
  [375, 667],
] as const)
  test(`at ${width} × ${height} a rejection’s error is visible above the buttons`, async ({ page, server }) => {
    const { id } = await findResubmittedCase(server)
    await page.setViewportSize({ width, height })
    await page.goto(`/kyc?review=${id}`)
    await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
    await button(page, 'Reject').click()
    const reason = page.getByLabel('Rejection reason')
    await reason.fill('x'.repeat(1001))
    await expect.poll(() => coveredLines(page.getByText('of at most 1,000'))).toBe(0)
    await reason.fill('Blurred')
    await page.getByLabel('Admin notes').focus()
    await page.keyboard.type('Called them')
    await expect.poll(() => coveredLines(page.getByLabel('Admin notes'))).toBe(0)
    await page.route('**/review', (route) => route.fulfill({ status: 503, json: { message: 'The database is away' } }))
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => coveredLines(page.getByRole('alert').getByText('The database is away'))).toBe(0)
    await expect(button(page, 'Reject')).toBeInViewport({ ratio: 1 })
  })

test('in a low window the reason of a rejection is typed in sight, above the buttons', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  for (const size of [
    { width: 375, height: 667 },
    { width: 640, height: 360 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`/kyc?review=${id}`)
    await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
    await button(page, 'Reject').click()
    const reason = page.getByLabel('Rejection reason')
    await expect(reason).toBeFocused()
    for (const [label, field] of [
      ['the reason', reason],
      ['the notes', page.getByLabel('Admin notes')],
    ] as const) {
      if (label !== 'the reason') await field.focus()
      const message = `${label} at ${size.width} × ${size.height}`
      await expect.poll(() => coveredLines(field), { message }).toBe(0)
    }
    // The ready reasons take one line, which scrolls sideways to each of them.
    const chips = page.getByRole('group', { name: 'Ready reasons' }).getByRole('button')
    const tops = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    await chips.last().focus()
    await expect(chips.last()).toBeInViewport()
  }
})
