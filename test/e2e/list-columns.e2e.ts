import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Orders' }).getByRole('table')
const heads = (page: Page) => table(page).getByRole('columnheader')
const popover = (page: Page) => page.getByRole('dialog', { name: 'Columns' })
const expectRowHeight = (page: Page, height: number) =>
  expect
    .poll(async () => (await table(page).getByRole('row').filter({ hasText: 'ORD-' }).first().boundingBox())?.height)
    .toBe(height)

/** Opens the choice by keyboard. */
async function openColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await expect(popover(page)).toBeVisible()
}

test('columns and density are chosen by keyboard, and follow the operator (product 4.10)', async ({
  page,
  browser,
  context,
  server,
}) => {
  await page.goto('/orders')
  await expect(heads(page)).toHaveText([
    'Select',
    'Order Number',
    'User',
    'Project',
    'Investment',
    'Status',
    'Expires',
    'Created',
    'Actions',
  ])
  await expectRowHeight(page, 44)
  await openColumns(page)
  await expectAccessible(page)
  await popover(page).getByRole('radio', { name: 'Comfortable' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(popover(page).getByRole('radio', { name: 'Compact' })).toBeChecked()
  await popover(page).getByRole('checkbox', { name: 'Project' }).focus()
  await page.keyboard.press('Space')
  await expect(popover(page).getByRole('checkbox', { name: 'Order Number' })).toBeDisabled()

  const status = popover(page).getByRole('checkbox', { name: 'Status' })
  await status.focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(status).toBeFocused()
  await expect(popover(page).getByRole('status')).toHaveText('Status, 2 of 7')
  await popover(page).getByRole('button', { name: 'Move Created up' }).focus()
  await page.keyboard.press('Enter')
  const readKept = () =>
    server.sql("SELECT column_choices #> '{orders,order}' AS columns FROM admins WHERE username = 'grace'")
  const order = ['orderNumber', 'status', 'user', 'projectName', 'investmentAmount', 'createdAt', 'expiresAt']
  await expect.poll(readKept).toEqual([{ columns: order }])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()

  const chosen = ['Select', 'Order Number', 'Status', 'User', 'Investment', 'Created', 'Expires', 'Actions']
  await expect(heads(page)).toHaveText(chosen)
  await page.reload()
  await expect(heads(page)).toHaveText(chosen)
  await expectRowHeight(page, 36)

  const other = await browser.newContext({ storageState: await context.storageState() })
  const elsewhere = await other.newPage()
  await elsewhere.goto(page.url())
  await expect(heads(elsewhere)).toHaveText(chosen)
  await expectRowHeight(elsewhere, 36)
  await elsewhere.setViewportSize({ width: 375, height: 812 })
  await expect(elsewhere.getByRole('button', { name: 'Columns' })).toBeHidden()
  // Rows that are blocks show everything.
  await expect(heads(elsewhere)).toHaveCount(9)
  await other.close()

  await openColumns(page)
  await popover(page).getByRole('button', { name: 'Reset' }).press('Enter')
  await expect(heads(page)).toHaveCount(9)
  await expectRowHeight(page, 44)
})

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
  const footer = page.getByText(/^Showing \d+ to \d+ of \d+ entries$/)
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
    await expect(footer).toBeHidden()
    isHeld.resolve()
    await expect(footer).toBeVisible()
    const shifted = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    expect(shifted, path).toBeLessThanOrEqual(0.01)
  }
})
