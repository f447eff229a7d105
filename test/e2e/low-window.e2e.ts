import type { Locator } from '@playwright/test'
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
