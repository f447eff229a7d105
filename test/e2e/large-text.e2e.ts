import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { findResubmittedCase } from './support/kyc-cases.ts'
import { setTextSize } from './support/text-size.ts'

/** The controls that end outside the window, but for those of strips that scroll, and the page itself where it scrolls sideways. */
const findWide = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const strips = '[role=tablist], [aria-label="Ready reasons"]'
    const controls = [...main.querySelectorAll('button, a[href], input, select')]
      .filter(
        (control) =>
          control.checkVisibility() && !control.closest(strips) && control.getBoundingClientRect().right > innerWidth,
      )
      .map((control) => control.getAttribute('aria-label') ?? control.textContent)
    return main.scrollWidth > innerWidth ? ['the page', ...controls] : controls
  })

for (const percent of [150, 200])
  test(`with text at ${percent} % review mode stays within a phone`, async ({ page, server }) => {
    const { id } = await findResubmittedCase(server)
    await setTextSize(page, percent)
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await page.goto(`/kyc?review=${id}`)
      await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
      expect(await findWide(page), `at ${width} px`).toEqual([])
      const stage = (await page.getByRole('figure').filter({ visible: true }).boundingBox())!
      expect(stage.height, `at ${width} px`).toBeGreaterThanOrEqual((12 * 16 * percent) / 100 - 1)
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      expect(await findWide(page), `at ${width} px`).toEqual([])
    }
  })

/** The part of the bell that its count covers. */
const findCoveredPart = (page: Page) =>
  page.getByRole('button', { name: /^Notifications, / }).evaluate((button) => {
    const [bell, count] = ['svg', 'span'].map((each) => button.querySelector(each)!.getBoundingClientRect())
    const width = Math.min(bell!.right, count!.right) - Math.max(bell!.left, count!.left)
    const height = Math.min(bell!.bottom, count!.bottom) - Math.max(bell!.top, count!.top)
    return (Math.max(0, width) * Math.max(0, height)) / (bell!.width * bell!.height)
  })

for (const percent of [150, 200])
  test(`with text at ${percent} % the header of a phone holds its title`, async ({ page }) => {
    await setTextSize(page, percent)
    await page.setViewportSize({ width: 320, height: 812 })
    for (const path of ['/orders', '/security']) {
      await page.goto(path)
      await expect(page.getByRole('row').nth(3)).toBeVisible()
      expect(await findWide(page), path).toEqual([])
      const header = (await page.getByRole('banner').boundingBox())!
      const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!
      expect(title.y).toBeGreaterThanOrEqual(header.y)
      expect(title.y + title.height).toBeLessThanOrEqual(header.y + header.height)
      expect(await findCoveredPart(page)).toBeLessThanOrEqual(0.25)
    }
  })
