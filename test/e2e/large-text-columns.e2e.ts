import type { Page } from '@playwright/test'
import type { Order } from '#contract/schemas/orders.ts'
import { expect } from './support/harness.ts'
import { openScreen, rowsTest } from './support/screens.ts'
import { setTextSize } from './support/text-size.ts'

const widths = [768, 1024, 1100, 1280, 1366, 1440, 1920]

/** How often the texts stand in the visible part of the first row that holds the first of them. */
async function countInRow(page: Page, texts: readonly string[]): Promise<number[]> {
  const row = page.getByRole('row').filter({ hasText: texts[0]! }).first()
  await expect(row).toBeVisible()
  const shown = await row.evaluate((element) => (element as HTMLElement).innerText.replaceAll(/\s+/g, ' '))
  return texts.map((text) => shown.split(text).length - 1)
}

for (const percent of [125, 150, 200])
  rowsTest(
    `with text at ${percent} % an order shows its number, member and project once`,
    async ({ page, operator }) => {
      const { orders } = (await (await operator.get('/api/orders?status=completed&limit=50')).json()) as {
        orders: Order[]
      }
      const { orderNumber, userLastName, projectName } = orders.find(({ userLastName: name }) =>
        /^[A-Z]/.test(name ?? ''),
      )!
      await setTextSize(page, percent)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await openScreen(page, `/orders?search=${orderNumber}`)
        await expect
          .poll(() => countInRow(page, [orderNumber, userLastName!, projectName]), { message: `at ${width} px` })
          .toEqual([1, 1, 1])
      }
    },
  )

rowsTest('with text at 200 % a member stays named at the head of an order', async ({ page, extreme, operator }) => {
  expect(extreme.orderId).toBeTruthy()
  const { orders } = (await (await operator.get('/api/orders?status=completed&limit=50')).json()) as { orders: Order[] }
  await setTextSize(page, 200)
  for (const { id } of [orders.at(-1)!, { id: extreme.orderId }])
    for (const width of [320, 375, 1280]) {
      await page.setViewportSize({ width, height: 812 })
      await openScreen(page, `/orders/${id}`)
      const member = page
        .getByRole('main')
        .getByText(/Ordered by/)
        .getByRole('link')
      await expect(member).toBeVisible()
      // Nothing of the name is cut.
      expect(await member.evaluate((link) => link.scrollWidth <= link.parentElement!.clientWidth)).toBe(true)
      expect((await member.boundingBox())!.width).toBeGreaterThan(60)
    }
})
