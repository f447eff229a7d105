import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectLive, liveStatus, test } from './support/harness.ts'

const away = { status: 503, json: { message: 'The database is away', code: 'database_unavailable' } }

/** Screens without a button to refresh: the calls of their data, and what the notice calls it. */
const screens: Record<string, (readonly [RegExp, string])[]> = {
  '/operators': [[/\/api\/operators/, 'The operators']],
  '/approvals?tab=rules': [[/\/api\/approval-rules/, 'The rules']],
  '/kyc-webhooks?tab=endpoints': [[/\/api\/endpoints/, 'The endpoints']],
  '/account': [
    [/\/api\/account\/factors/, 'The second factors'],
    [/\/api\/account\/alerts/, 'The alerts'],
    [/\/api\/account\/sessions/, 'The sessions'],
  ],
  '/tokens': [[/\/api\/tokens/, 'Earning Tokens']],
  '/transactions?tab=treasury': [[/\/api\/chain\/treasury/, 'The treasury']],
}

/** Fetches all that is shown again, as after a connection that was lost. */
async function reconnect(page: Page) {
  await expectLive(page)
  await page.context().setOffline(true)
  await expect(liveStatus(page)).toContainText('Offline')
  await page.context().setOffline(false)
  // The new event stream fetches all once more, which no longer happens under a press.
  await expectLive(page)
}

test('what could not be refreshed stays, and is fetched again by a button', async ({ page }) => {
  for (const [path, parts] of Object.entries(screens))
    await test.step(path, async () => {
      await page.goto(path)
      const table = page.getByRole('main').getByRole('table').last()
      await expect(table).toBeVisible()
      await expect(page.getByText('Loading...')).toHaveCount(0)
      for (const [call] of parts) await page.route(call, (route) => route.fulfill(away))
      await reconnect(page)
      const note = (what: string) =>
        page.getByRole('alert').filter({ hasText: `${what} could not be refreshed: The database is away` })
      for (const [, what] of parts) await expect(note(what)).toBeVisible()
      await expect(table).toBeVisible()
      await expectAccessible(page)
      for (const [call, what] of parts) {
        await page.unroute(call)
        await note(what).getByRole('button', { name: 'Try Again' }).focus()
        await page.keyboard.press('Enter')
        await expect(note(what)).toHaveCount(0)
        await expect(page.locator('body')).not.toBeFocused()
      }
      await expect(table).toBeVisible()
    })
})
