import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { findResubmittedCase } from './support/kyc-cases.ts'
import { listScreens, openScreen, rowsTest } from './support/screens.ts'
import { setTextSize } from './support/text-size.ts'

/** What begins or ends outside the window, but for the content of what scrolls or cuts on its own. */
const findOutside = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const cuts = (element: Element) => element !== main && getComputedStyle(element).overflowX !== 'visible'
    const isCut = (element: Element): boolean => element !== main && (cuts(element) || isCut(element.parentElement!))
    const outside = [...main.querySelectorAll('*')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return (
        width > 0 &&
        (left < -1 || right > innerWidth + 1) &&
        element.checkVisibility() &&
        !isCut(element.parentElement!)
      )
    })
    const names = outside.map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName)
    return main.scrollWidth > innerWidth ? ['the page', ...names] : names
  })

/** The filters that cannot show the whole of what is chosen. */
const findCutChoices = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const pen = document.createElement('canvas').getContext('2d')!
    return [...main.querySelectorAll('select')]
      .filter((select) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(select)
        pen.font = font
        const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
        return select.checkVisibility() && pen.measureText(select.selectedOptions[0]!.label).width > room
      })
      .map((select) => `${select.getAttribute('aria-label')} is cut`)
  })

/** Opens a screen on a phone with text twice as large, and expects everything within the window. */
async function expectWithin(page: Page, path: string) {
  await page.setViewportSize({ width: 320, height: 812 })
  await openScreen(page, path)
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await expect.poll(() => findOutside(page), { message: `${path} at ${width} px` }).toEqual([])
    expect(await findCutChoices(page), `${path} at ${width} px`).toEqual([])
  }
}

rowsTest('with text at 200 % all lists stay within a phone', async ({ page, extreme }) => {
  test.slow()
  expect(extreme.memberId).toBeTruthy()
  await setTextSize(page, 200)
  for (const path of Object.values(listScreens)) await expectWithin(page, path)
})

rowsTest('with text at 200 % a member, an order and endpoints stay within a phone', async ({ page, extreme }) => {
  await setTextSize(page, 200)
  for (const tab of ['profile', 'kyc', 'wallets', 'transactions', 'fractions', 'history'])
    await expectWithin(page, `/users/${extreme.memberId}?tab=${tab}`)
  await expectWithin(page, `/orders/${extreme.orderId}`)
  await expectWithin(page, '/kyc-webhooks?tab=endpoints')
})

for (const percent of [150, 200])
  test(`with text at ${percent} % review mode stays within a phone`, async ({ page, server }) => {
    const { id } = await findResubmittedCase(server)
    await setTextSize(page, percent)
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await page.goto(`/kyc?review=${id}`)
      await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
      expect(await findOutside(page), `at ${width} px`).toEqual([])
      const stage = (await page.getByRole('figure').filter({ visible: true }).boundingBox())!
      expect(stage.height, `at ${width} px`).toBeGreaterThanOrEqual((12 * 16 * percent) / 100 - 1)
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      expect(await findOutside(page), `at ${width} px`).toEqual([])
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
      expect(await findOutside(page), path).toEqual([])
      const header = (await page.getByRole('banner').boundingBox())!
      const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!
      expect(title.y).toBeGreaterThanOrEqual(header.y)
      expect(title.y + title.height).toBeLessThanOrEqual(header.y + header.height)
      expect(await findCoveredPart(page)).toBeLessThanOrEqual(0.25)
    }
  })
