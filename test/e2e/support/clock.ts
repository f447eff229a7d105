import type { Page } from '@playwright/test'

/**
 * Stops the page's time where it is: then only `page.clock.runFor` moves it on, until `page.clock.resume`. The clock was
 * installed before the page was opened.
 */
export async function stopClock(page: Page) {
  const now = await page.evaluate(() => Date.now())
  // Time is fixed first, so that stopping at this instant skips nothing.
  await page.clock.setFixedTime(now)
  await page.clock.pauseAt(now)
  await page.clock.setSystemTime(now)
}
