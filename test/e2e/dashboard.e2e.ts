import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Analytics, Registrations } from '#contract/schemas/analytics.ts'
import { addBankAccount, importPayment } from './support/bank.ts'
import { expect, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const columns = (page: Page) => card(page, 'User Registrations').getByRole('group').getByRole('link')
const formatCount = (count: number) => count.toLocaleString('en-US')
const waitingKyc = '/kyc?tab=verifications&status=pending'
const zone = 'timeZone=Europe/Lisbon'

test('Dashboard: four figures are true counts and lead to their lists (product 5.1)', async ({ page, operator }) => {
  const figures: Analytics = await (await operator.get(`/api/analytics?${zone}`)).json()
  for (const [name, figure, path] of [
    ['Total Users', figures.totalUsers, '/users'],
    ['Pending KYC', figures.pendingKyc, waitingKyc],
    ['Active Tokens', figures.activeTokens, '/tokens'],
    ["Today's Transactions", figures.todayTransactions, '/transactions?tab=platform&created=today'],
  ] as const) {
    await page.goto('/')
    const stat = card(page, 'Key figures').getByRole('link', { name })
    await expect(stat).toContainText(formatCount(figure))
    await stat.click()
    await expect(page).toHaveURL(path)
  }
})

test('registrations of the last 7 days, then of the chosen period (product 5.1)', async ({ page, operator }) => {
  await page.goto('/')
  const period = card(page, 'User Registrations').getByLabel('Period')
  await expect(period.getByRole('option')).toHaveText(['Last 7 days', 'Last 30 days', 'Last 3 months'])
  await expect(period.getByRole('option', { selected: true })).toHaveText('Last 7 days')
  for (const [label, value, count, unit] of [
    ['Last 3 months', '3m', 13, 'week'],
    ['Last 30 days', '30d', 30, 'day'],
  ] as const) {
    await period.selectOption(label)
    await expect(page).toHaveURL(`/?period=${value}`)
    const figures: Registrations = await (
      await operator.get(`/api/analytics/registrations?period=${value}&${zone}`)
    ).json()
    const table = card(page, 'User Registrations').getByRole('table', { name: `Registrations a ${unit}` })
    await expect(table.getByRole('row')).toHaveCount(count + 1)
    const shown = await table
      .getByRole('row')
      .evaluateAll((rows) => rows.slice(1).map((row) => row.children[1]?.textContent))
    expect(shown).toEqual(figures.points.map((point) => formatCount(point.registrations)))
  }
  await page.reload()
  await expect(period).toHaveValue('30d')
  await page.goBack()
  await expect(period).toHaveValue('3m')
})

test('a bar tells its value on hover and by keyboard (product 5.1)', async ({ page }) => {
  await page.goto('/')
  await expect(columns(page)).toHaveCount(7)
  const tip = card(page, 'User Registrations').locator('dl')
  await expect(tip).toBeHidden()
  await columns(page).nth(2).hover()
  await expect(tip).toContainText('Week before')
  await page.mouse.move(0, 0)
  await expect(tip).toBeHidden()

  await card(page, 'User Registrations').getByLabel('Compared with').focus()
  await page.keyboard.press('Tab')
  await expect(columns(page).last()).toBeFocused()
  await expect(columns(page).last()).toHaveAccessibleName(/\(today, so far\): \d+ registered; week before: \d+/)
  await expect(tip).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(columns(page).nth(5)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(columns(page).first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(card(page, 'KYC Approval Rates').getByRole('link', { name: 'View Details' })).toBeFocused()
})

test('the three rates add up to 100.0 (product 5.1, 5.2)', async ({ page }) => {
  await page.goto('/')
  const rates = card(page, 'KYC Approval Rates')
  await expect(rates.getByText('%')).toHaveCount(3)
  const shares = await rates.getByText('%').allInnerTexts()
  expect(shares.reduce((sum, share) => sum + Math.round(Number.parseFloat(share) * 10), 0)).toBe(1000)
  const pending = rates.getByRole('definition').nth(1)
  const counted = /%\s*([\d,]+)/.exec(await pending.innerText())?.[1]
  await rates.getByRole('link', { name: 'View Details' }).click()
  await expect(page).toHaveURL('/kyc?undecided=true')
  await expect(page.getByText(/^Showing /)).toContainText(`of ${counted} entries`)
})

const now = (secondsLater: number) => new Date(Date.now() + secondsLater * 1000).toISOString()

test('the five newest members by name or e-mail, Verified or Pending (product 5.1)', async ({ page, server }) => {
  const at = now(0)
  await server.importLines(
    ...Array.from({ length: 3 }, (_, i) => ({
      type: 'member',
      id: `dash-${i}`,
      email: `dash${i}@example.com`,
      createdAt: at,
    })),
    {
      type: 'member',
      id: 'dash-3',
      email: 'dash3@example.com',
      legalFirstName: 'محمد',
      legalLastName: 'الحسيني',
      createdAt: now(1),
    },
    {
      type: 'member',
      id: 'dash-4',
      email: 'dash4@example.com',
      legalFirstName: 'Ana',
      legalLastName: 'Lima',
      createdAt: now(2),
    },
    {
      type: 'kyc',
      memberId: 'dash-4',
      attempt: 1,
      submit: true,
      submittedAt: at,
      decision: { result: 'approved', decidedAt: at },
    },
  )
  await page.goto('/')
  const users = card(page, 'Recent Users').getByRole('listitem')
  await expect(users).toHaveCount(5)
  await expect(users.nth(0)).toContainText('Ana Lima')
  await expect(users.nth(0)).toContainText('Verified')
  await expect(users.nth(1)).toContainText('محمد الحسيني')
  await expect(users.nth(1)).toContainText('Pending')
  await expect(users.nth(2).getByRole('link')).toHaveText('dash2@example.com')
  await users.nth(0).getByRole('link', { name: 'Ana Lima' }).click()
  await expect(page).toHaveURL('/users/dash-4')
  await page.goBack()
  await card(page, 'Recent Users').getByRole('link', { name: 'View All users' }).click()
  await expect(page).toHaveURL('/users')
})

test('a withdrawal has a minus sign, any other type a plus sign (product 5.1)', async ({ page, server }) => {
  const transaction = { type: 'transaction', memberId: 'dash-t', status: 'completed' }
  await server.importLines(
    { type: 'member', id: 'dash-t', email: 'dash-t@example.com', legalFirstName: 'Tunde', legalLastName: 'Okonkwo' },
    { ...transaction, id: 'dash-t1', kind: 'deposit', amount: '2500', createdAt: now(60) },
    { ...transaction, id: 'dash-t2', kind: 'withdrawal', amount: '1180.50', createdAt: now(61) },
    { ...transaction, id: 'dash-t3', kind: 'other', amount: '35.755', status: 'failed', createdAt: now(62) },
  )
  await page.goto('/')
  const transactions = card(page, 'Recent Transactions').getByRole('listitem')
  await expect(transactions).toHaveCount(5)
  await expect(transactions.nth(0)).toContainText('+$35.755')
  await expect(transactions.nth(0)).toContainText('Failed')
  await expect(transactions.nth(1)).toContainText('-$1,180.50')
  await expect(transactions.nth(2)).toContainText('+$2,500.00')
  await expect(transactions.nth(2)).toContainText('Tunde Okonkwo')
  await card(page, 'Recent Transactions').getByRole('link', { name: 'View All transactions' }).click()
  await expect(page).toHaveURL('/transactions?tab=platform')
})

test('Quick Actions: each leads where it says, and Review KYC tells the true count (product 5.1)', async ({
  page,
  operator,
}) => {
  const { pendingKyc }: Analytics = await (await operator.get('/api/analytics')).json()
  for (const [name, path] of [
    [`Review KYC ${formatCount(pendingKyc)} pending`, waitingKyc],
    ['Add Token', '/tokens'],
    ['Security Audit', '/security'],
  ] as const) {
    await page.goto('/')
    await card(page, 'Quick Actions').getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
  }
})

test('Export Report downloads the figures as CSV, and the admin log knows (product 5.1)', async ({
  page,
  server,
  operator,
}) => {
  await page.goto('/')
  const downloading = page.waitForEvent('download')
  await card(page, 'Quick Actions').getByRole('button', { name: 'Export Report Generate CSV' }).click()
  const download = await downloading
  await expectToast(page, 'Report downloaded')
  expect(download.suggestedFilename()).toMatch(/^back-office-report-\d{4}-\d\d-\d\d\.csv$/)
  const { totalUsers }: Analytics = await (await operator.get(`/api/analytics?${zone}`)).json()
  expect(await readFile(await download.path(), 'utf8')).toContain(`\r\nFigures,Total Users,${totalUsers},`)
  const [entry] = await server.sql<{ details: unknown }>(
    `SELECT details FROM audit_log WHERE action = 'export_report' ORDER BY id DESC LIMIT 1`,
  )
  expect(entry?.details).toEqual({ fileName: download.suggestedFilename(), timeZone: 'Europe/Lisbon' })
})

test('a report that fails says so in a toast (product 5.1)', async ({ page }) => {
  const body = { message: 'The database is away', code: 'database_unavailable' }
  await page.route(/\/api\/analytics\/report\//, (route) => route.fulfill({ status: 503, json: body }))
  await page.goto('/')
  await card(page, 'Quick Actions').getByRole('button', { name: 'Export Report' }).click()
  await expectToast(page, 'Export Failed', 'The database is away')
})

test.describe('in Auckland', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })
  test('today is the day of the browser’s time zone (product 5.2)', async ({ page }) => {
    const asked = page.waitForRequest(/\/api\/analytics\/\?/)
    await page.goto('/')
    expect(new URL((await asked).url()).searchParams.get('timeZone')).toBe('Pacific/Auckland')
    const today = new Intl.DateTimeFormat('en-US', { timeZone: 'Pacific/Auckland', month: 'short', day: 'numeric' })
    await expect(columns(page).last()).toHaveAccessibleName(
      new RegExp(`${today.format(new Date())} \\(today, so far\\)`),
    )
  })
})

test('nothing on the dashboard moves after it is first painted (product 5.1)', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/')
  await expect(columns(page)).toHaveCount(7)
  await expect(card(page, 'Recent Transactions').getByRole('listitem').first()).toBeVisible()
  expect(await page.evaluate(() => Object.entries(window).find(([name]) => name === 'shifts')?.[1])).toEqual([])
})

test('the pipeline names the unreconciled money and leads to it (product 5.1, 5.2)', async ({ page, operator }) => {
  const account = await addBankAccount(operator, { currency: 'AED' })
  await importPayment(operator, account, { amount: '1234567.50', payer: 'MARYAM SAID', text: `gift ${newWord()}` })
  const link = card(page, 'Order pipeline').getByRole('link', { name: /^Unreconciled/ })
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    await expect(link).toContainText(/1,234,567\.50 AED[\d.,]+ EUR[\d.,]+ GBP\+ 1 more/)
    expect(await link.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  }
  await link.click()
  await expect(page).toHaveURL('/reconciliation')
})
