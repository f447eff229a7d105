import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'

const away = { status: 503, json: { message: 'The database is away', code: 'database_unavailable' } }

/** Screens without a button to refresh: address, the call of their data, and what the notice calls it. */
const screens = {
  Operators: ['/operators', /\/api\/operators/, 'The operators'],
  'approval rules': ['/approvals?tab=rules', /\/api\/approval-rules/, 'The rules'],
  endpoints: ['/kyc-webhooks?tab=endpoints', /\/api\/endpoints/, 'The endpoints'],
  'second factors': ['/account', /\/api\/account\/factors/, 'The second factors'],
  // The table behind them stays.
  alerts: ['/account', /\/api\/account\/alerts/, 'The alerts'],
  sessions: ['/account', /\/api\/account\/sessions/, 'The sessions'],
  tokens: ['/tokens', /\/api\/tokens/, 'Earning Tokens'],
  treasury: ['/transactions?tab=treasury', /\/api\/chain\/treasury/, 'The treasury'],
} as const

/** Fetches all that is shown again, as after a connection that was lost. */
async function reconnect(page: Page) {
  const live = page.getByRole('banner').getByRole('status')
  await expect(live).toHaveText('Live')
  await page.context().setOffline(true)
  await expect(live).toContainText('Offline')
  await page.context().setOffline(false)
}

for (const [name, [path, call, what]] of Object.entries(screens))
  test(`${name} that could not be refreshed stay, and are fetched again by a button`, async ({ page }) => {
    await page.goto(path)
    const table = page.getByRole('main').getByRole('table').last()
    await expect(table).toBeVisible()
    await expect(page.getByText('Loading...')).toHaveCount(0)
    await page.route(call, (route) => route.fulfill(away))
    await reconnect(page)
    const note = page.getByRole('alert').filter({ hasText: `${what} could not be refreshed: The database is away` })
    await expect(note).toBeVisible()
    await expect(table).toBeVisible()
    await expectAccessible(page)
    await page.unroute(call)
    const retry = note.getByRole('button', { name: 'Try again' })
    await retry.focus()
    await page.keyboard.press('Enter')
    await expect(note).toHaveCount(0)
    await expect(table).toBeVisible()
    await expect(page.locator('body')).not.toBeFocused()
  })
