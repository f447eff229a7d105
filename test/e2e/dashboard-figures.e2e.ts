import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const readCount = (text: string | null) => Number(/([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''))

/** The whole number of the list that is open. */
async function readTotal(page: Page): Promise<number> {
  const footer = page.getByText(/^Showing /)
  await expect(footer).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  return readCount(/of ([\d,]+) entries/.exec(await footer.innerText())?.[1] ?? '')
}

/** The figures of a card: name and address of each link. Figures of one name differ by their address. */
async function readFigures(page: Page, name: string): Promise<{ label: string; href: string }[]> {
  const links = card(page, name).getByRole('link')
  await expect(links.first()).toBeVisible()
  await expect(card(page, name).getByText('Loading...')).toHaveCount(0)
  return links.evaluateAll((each) =>
    each.map((link) => ({
      label: link.getAttribute('aria-label') ?? link.textContent ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
}

/** The number after the name in "Wed, Nov 18: 5 registered; …", else the first. */
const countOf = (label: string) => readCount(/: ([\d,]+)/.exec(label)?.[1] ?? label)

test('every figure leads to a list of just as many (product 5.1)', async ({ page, server }) => {
  test.slow()
  // No order expires, or begins to expire within 24 hours, between the reading of a figure and of its list.
  await server.sql(
    `UPDATE orders SET expires_at = expires_at + interval '1 hour' WHERE status = 'waiting_payment'
     AND (expires_at - now() BETWEEN interval '0' AND interval '1 hour'
       OR expires_at - now() BETWEEN interval '24 hours' AND interval '25 hours')`,
  )
  await page.goto('/?period=30d')
  const figures = []
  for (const name of ['Needs you', 'Order pipeline', 'KYC Approval Rates', 'User Registrations'])
    figures.push(...(await readFigures(page, name)))
  // Open money is not a count. The log of submissions has no footer; `notices.e2e.ts` follows that one.
  const counted = figures.filter(
    ({ label, href }) => /\d/.test(label) && !/%|^Unreconciled/.test(label) && !href.includes('unreached'),
  )
  expect(counted.length).toBeGreaterThan(30)
  for (const { label, href } of counted.filter(
    ({ label: each }, index) => !/Week|, \w{3} \d/.test(each) || index % 12 === 0,
  )) {
    await page.goto(href)
    expect.soft(await readTotal(page), `${label} at ${href}`).toBe(countOf(label))
  }
})

test('the figures of transfers lead to the transfers of that day and type (product 5.1)', async ({ page, server }) => {
  const at = new Date(Date.now() - 60_000).toISOString()
  const wallet = `0x${'d'.repeat(40)}`
  const token = `0x${'e'.repeat(40)}`
  await server.sql(
    `INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address, token_symbol,
       amount, status, is_imported, created_at)
     SELECT '0x' || lpad(to_hex(n), 64, 'd'), 0, $1, CASE WHEN n % 3 = 0 THEN 'withdrawal' ELSE 'deposit' END, $2, 'DSH',
       n, 'completed', false, $3::timestamptz - n * interval '11 hours' FROM generate_series(1, 12) n`,
    [wallet, token, at],
  )
  await page.goto('/')
  const figures = await readFigures(page, 'Deposits and withdrawals')
  expect(figures.length).toBeGreaterThan(14)
  test.slow()
  for (const { label, href } of figures.filter(({ label: each }) => countOf(each) > 0).slice(-8)) {
    await page.goto(href)
    expect(await readTotal(page), `${label} at ${href}`).toBe(countOf(label))
  }
})

test('the arrow keys go from day to day of the transfers (product 5.1)', async ({ page }) => {
  await page.goto('/')
  const columns = card(page, 'Deposits and withdrawals').getByRole('group').getByRole('link')
  await expect(columns).toHaveCount(14)
  await columns.nth(12).focus()
  await page.keyboard.press('ArrowDown')
  await expect(columns.nth(13)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(columns.nth(11)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(columns.nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/type=withdrawal&status=completed&from=/)
})

test('Needs you names what waits, each kind with its list (product 5.1, 3.6)', async ({ page, operator }) => {
  const { pendingKyc } = await (await operator.get('/api/analytics')).json()
  const { notices } = await (await operator.get('/api/notices')).json()
  await page.goto('/')
  const needs = card(page, 'Needs you')
  await expect(needs.getByRole('link', { name: /KYC to review/ })).toContainText(pendingKyc.toLocaleString('en-US'))
  const expiring = notices.find(({ kind }: { kind: string }) => kind === 'expiring_orders')
  await expect(needs.getByRole('link', { name: /expires? in 24 h/ })).toContainText(
    new RegExp(`^${expiring.count} orders? .*\\d\\.\\d\\d [A-Z]{3}`),
  )
  await needs.getByRole('link', { name: /expires? in 24 h/ }).click()
  await expect(page).toHaveURL('/orders?expiring=24h')
})

test('period and comparison stand in the address, where bad values count as none (product 4.3)', async ({ page }) => {
  await page.goto('/?period=1y&compare=month')
  const registrations = card(page, 'User Registrations')
  await expect(registrations.getByLabel('Period')).toHaveValue('7d')
  await expect(registrations.getByLabel('Compared with')).toHaveValue('previous')
  await registrations.getByLabel('Period').selectOption('Last 30 days')
  await registrations.getByLabel('Compared with').selectOption('Year before')
  await expect(page).toHaveURL('/?period=30d&compare=year')
  await expect(registrations).toContainText('in the same days a year before')
  await expect(card(page, 'Deposits and withdrawals')).toContainText('in the same days a year before')
  await page.goBack()
  await expect(registrations.getByLabel('Compared with')).toHaveValue('previous')
  await expect(registrations.getByLabel('Period')).toHaveValue('30d')
})

test('axe finds nothing on the dashboard at any width (product 3.8)', async ({ page }) => {
  await page.goto('/')
  await expect(card(page, 'Order pipeline').getByRole('link', { name: /Waiting Payment/ })).toBeVisible()
  await expect(card(page, 'Recent Users').getByRole('listitem')).toHaveCount(5)
  await expect(page.getByText('Loading...')).toHaveCount(0)
  for (const width of [375, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    const sideways = await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    expect(sideways).toBe(0)
  }
})
