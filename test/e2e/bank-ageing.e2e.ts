import type { Page } from '@playwright/test'
import { openDesk, importWork, rows, workList, writeStatement } from './support/desk.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { addAccount, importDirectly, newNumber } from './support/statements.ts'

test.use({ data: 'empty' })

const ages = (page: Page, name = 'Open by age') => page.getByRole('region', { name }).getByRole('link')
/** The phrase that warns of what has waited tells how old all of it is. */
const warning = (page: Page) => page.getByRole('button', { name: /over 2 days$/ })
const chip = (page: Page, name: string) => page.getByRole('button', { name: `Remove filter: ${name}` })
const filter = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Which lines' }).getByRole('button', { name })

const aged = [
  { amount: '10.00', payer: 'Of Today', text: 'a' },
  { amount: '20.00', payer: 'Of Five Days', text: 'b', daysAgo: 5 },
  { amount: '2.50', payer: 'Of Six Days', text: 'c', daysAgo: 6, direction: 'DBIT' as const },
  { amount: '40.00', payer: 'Of Two Months', text: 'd', daysAgo: 60 },
]

/** Puts the whole of each line of an account aside. */
async function putAllAside(page: Page, account: { id: string }) {
  const { request } = page.context()
  const reply = await request.get(`/api/bank/lines?accountId=${account.id}&work=todo`)
  const { lines } = (await reply.json()) as { lines: { id: string; amount: string; direction: string }[] }
  for (const { id, amount, direction } of lines) {
    const code = direction === 'debit' ? 'fee' : 'own_transfer'
    const put = await request.post(`/api/bank/lines/${id}/allocations`, {
      data: { allocations: [{ purpose: 'ignored', amount, code }] },
    })
    expect(put.ok(), await put.text()).toBe(true)
  }
}

test('each age of the open money leads to just its lines (product 5.13)', async ({ page, operator }) => {
  test.slow()
  const account = await importWork(operator, 'Aged', aged)
  await openDesk(page, account)
  await expect(warning(page)).toHaveText('3 lines over 2 days')
  await warning(page).click()
  await expect(ages(page)).toHaveText([
    '0–2 days, 1 line, +10.00',
    '3–7 days, 2 lines, +20.00, −2.50',
    'Over 30 days, 1 line, +40.00',
  ])
  await expect(rows(page)).toHaveCount(4)
  await ages(page).nth(1).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(workList(page)).toContainText('Of Six Days')
  await expect(workList(page)).toContainText('Of Five Days')
  await warning(page).click()
  await expect(ages(page).nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await expect(filter(page, /^To do 4/)).toHaveAttribute('aria-pressed', 'false')
  await page.reload()
  await expect(rows(page)).toHaveCount(2)

  await warning(page).press('Enter')
  await ages(page).nth(2).press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(workList(page)).toContainText('Of Two Months')
  await expect(warning(page)).toBeFocused()
  await chip(page, 'Over 30 days').click()
  await expect(rows(page)).toHaveCount(4)
  await warning(page).click()
  await ages(page).nth(0).click()
  await expect(rows(page)).toHaveCount(1)
  await filter(page, /^To do/).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page).not.toHaveURL(/age=/)
})

test('of all accounts the ages of a currency lead to its lines (product 5.13)', async ({ page, operator }) => {
  const entries = [{ amount: '7.00', payer: 'Kronor', text: 'k', daysAgo: 12 }]
  for (const name of ['One', 'Two']) {
    const { account } = await addAccount(operator, `Kronor ${name} ${newNumber()}`, { currency: 'SEK' })
    const file = writeStatement(account, entries).replaceAll('EUR', 'SEK')
    await importDirectly(operator, `${account}.xml`, file)
  }
  await importWork(operator, 'Euro', [{ amount: '8.00', payer: 'Euro', text: 'e', daysAgo: 12 }])
  await page.goto('/reconciliation')
  await warning(page).click()
  await expect(ages(page, 'Open in SEK')).toHaveText(['8–30 days, 2 lines, +14.00'])
  await ages(page, 'Open in SEK').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page)).toContainText(['Kronor', 'Kronor'])
  await expect(chip(page, 'SEK')).toBeVisible()
})

test('ages and purposes are accessible', async ({ page, operator }) => {
  const account = await importWork(operator, 'Ages', aged)
  await openDesk(page, account, '&age=3-7')
  await expect(rows(page)).toHaveCount(2)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await openDesk(page, account)
  await warning(page).click()
  await expect(ages(page)).toHaveCount(3)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.keyboard.press('Escape')
  await putAllAside(page, account)
  const table = page.getByRole('table', { name: 'The outcome of the money' })
  await expect(table.getByRole('row')).toHaveText([
    'PurposePartsEUR',
    'Between own accounts370.00',
    'Money in370.00',
    'Bank fee1−2.50',
    'Money out1−2.50',
  ])
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page)
})
