import type { Page } from '@playwright/test'

/** Sets the browser's text size, on which breakpoints and everything in `rem` depend. */
export async function setTextSize(page: Page, percent: number) {
  const session = await page.context().newCDPSession(page)
  const standard = (16 * percent) / 100
  await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard - 3 } })
}
