import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { chooseFilter, filterChip, filterMenu } from './support/filters.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importInvestor } from './support/members.ts'

const region = (page: Page) => page.getByRole('region', { name: 'Transactions', exact: true })
const table = (page: Page) => region(page).getByRole('table')
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Copy transaction hash/ }) })
const filterBox = (page: Page) => page.getByRole('combobox', { name: 'Status filter' })
const cards = (page: Page) => page.getByRole('region', { name: 'Transaction figures' })
const hex = (word: string, length: number) => `0x${Buffer.from(word).toString('hex').padEnd(length, '0')}`

/** A transfer that stands first in the history. */
async function importTransfer(
  server: { importLines: (...lines: Record<string, unknown>[]) => Promise<void> },
  given: object,
) {
  const transactionHash = `0x${randomBytes(32).toString('hex')}`
  await server.importLines({
    type: 'chainTransaction',
    transactionHash,
    logIndex: 0,
    walletAddress: hex('stranger', 40),
    transactionType: 'deposit',
    tokenAddress: hex('other token', 40),
    amount: '1',
    status: 'completed',
    createdAt: new Date(Date.now() + 60_000).toISOString(),
    ...given,
  })
  return transactionHash
}
const short = (hash: string) => `${hash.slice(0, 6)}…${hash.slice(-4)}`

test('Transaction Monitoring: all columns of every transfer (product 5.8)', async ({ page, server }) => {
  const investor = await importInvestor(server)
  const hash = await importTransfer(server, {
    walletAddress: investor.wallet,
    transactionType: 'withdrawal',
    tokenSymbol: 'SOLR',
    amount: '1234567.000000000000000425',
    status: 'pending',
    createdAt: '2026-01-05T09:07:00Z',
  })
  await page.goto(`/transactions?search=${hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transaction Monitoring')
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Hash',
    'Type',
    'Amount',
    'Status',
    'Wallet',
    'Counterparty',
    'Date',
  ])
  const row = rows(page).filter({ hasText: short(hash) })
  await expect(row.getByRole('cell')).toHaveText([
    short(hash),
    'Withdrawal',
    '1,234,567.000000000000000425 SOLR',
    'Pending',
    short(investor.wallet),
    'Unknown',
    'Jan 05, 2026 at 09:07',
  ])
  await expect(row.getByText(short(hash))).toHaveAttribute('title', new RegExp(`^${hash}\\n.*no block explorer`, 's'))
  await expect(row.getByRole('button', { name: /^Copy wallet/ })).toBeVisible()
  // The local chain has none.
  await expect(page.getByRole('link', { name: /block explorer/ })).toHaveCount(0)
  // A press opens Peek.
  await row.getByRole('link', { name: /member's wallets/ }).press('Enter')
  await expect(page).toHaveURL(`/users/${investor.id}?tab=wallets`)
})

test('with EXPLORER_URL each hash leads to the block explorer (product 13.2)', async ({ page }) => {
  await page.route('**/transactions', async (route) => {
    const reply = await route.fetch()
    const about = JSON.stringify({ demo: true, explorerUrl: 'https://bscscan.com' }).replaceAll('"', '&quot;')
    const body = (await reply.text()).replace(/(<meta name="console" content=")[^"]*/, `$1${about}`)
    await route.fulfill({ response: reply, body })
  })
  await page.goto('/transactions')
  const link = rows(page)
    .first()
    .getByRole('link', { name: /block explorer/ })
  await expect(link).toHaveAttribute('href', /^https:\/\/bscscan\.com\/tx\/0x[0-9a-f]{64}$/)
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
})

test('four exact cards, with the largest volume first (product 5.8, 12.4)', async ({ page, operator }) => {
  const figures = await (await operator.get('/api/blockchain-transactions/figures')).json()
  await page.goto('/transactions')
  for (const [name, figure] of [
    ['Total Transactions', figures.total],
    ['Completed', figures.completed],
    ['Pending', figures.pending],
  ] as const)
    await expect(cards(page)).toContainText(`${name}${Number(figure).toLocaleString('en-US')}`)
  const [largest, second] = figures.volumes
  await expect(cards(page)).toContainText(`Total Volume${Number(largest.volume.split('.')[0]).toLocaleString('en-US')}`)
  await expect(cards(page)).toContainText(largest.tokenSymbol)
  const others = cards(page).getByRole('button', { name: /other tokens?$/ })
  const list = page.getByRole('dialog', { name: 'Volume by token' })
  await expect(list).toBeHidden()
  await others.hover()
  await expect(list.getByRole('listitem')).toHaveCount(figures.volumes.length)
  await expect(list).toContainText(second.tokenSymbol)
  await page.mouse.move(5, 5)
  await expect(list).toBeHidden()
  await others.focus()
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await cards(page)
    .getByRole('link', { name: /^Pending/ })
    .click()
  await expect(page).toHaveURL('/transactions?status=pending')
})

test('the status filter and pages of 50 ask the server and stand in the address (product 5.8, 14, 4.3)', async ({
  page,
  operator,
}) => {
  const { total } = await (await operator.get('/api/blockchain-transactions?limit=1')).json()
  await page.goto('/transactions?status=everything&from=mail')
  await expect(filterBox(page).getByRole('option')).toHaveText(['All Status', 'Completed', 'Pending', 'Failed'])
  await expect(filterBox(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByText(`Showing 1 to 50 of ${Number(total).toLocaleString('en-US')} entries`)).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/^Showing 51 to/)).toBeVisible()
  for (const [label, value] of [
    ['Completed', 'completed'],
    ['Pending', 'pending'],
    ['Failed', 'failed'],
  ] as const) {
    const asked = page.waitForRequest((request) => request.url().includes(`limit=50&page=1&status=${value}`))
    await filterBox(page).selectOption(label)
    await asked
    await expect(page).toHaveURL(new RegExp(`from=mail&status=${value}$|status=${value}&from=mail$`))
    await expect(rows(page).filter({ hasNotText: label })).toHaveCount(0)
  }
  await page.reload()
  await expect(filterBox(page)).toHaveValue('failed')
  await page.goBack()
  await expect(filterBox(page)).toHaveValue('pending')
})

test('axe finds nothing on the monitor, wide and narrow (product 3.8)', async ({ page }) => {
  await page.goto('/transactions')
  await expect(rows(page)).toHaveCount(50)
  await cards(page)
    .getByRole('button', { name: /other tokens?$/ })
    .focus()
  await expect(page.getByRole('dialog', { name: 'Volume by token' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/transactions?status=failed')
  await expect(rows(page).first()).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

test('the history is narrowed by type, member and days, all in the address bar (product 5.8)', async ({
  page,
  server,
}) => {
  const investor = await importInvestor(server)
  const given = { walletAddress: investor.wallet, tokenSymbol: 'SOLR' }
  const early = await importTransfer(server, {
    ...given,
    transactionType: 'withdrawal',
    createdAt: '2026-01-05T12:00:00Z',
  })
  const late = await importTransfer(server, {
    ...given,
    transactionType: 'withdrawal',
    createdAt: '2026-01-08T12:00:00Z',
  })
  await page.goto('/transactions')
  await page.getByRole('button', { name: /member filter/ }).click()
  await page.getByRole('searchbox', { name: 'Name or email of the member' }).fill(investor.email)
  await expect(page.getByRole('list', { name: 'Members found' }).getByRole('button')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('list', { name: 'Members found' }).getByRole('button')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await chooseFilter(page, 'Withdrawal')
  await chooseFilter(page, 'between')
  await filterMenu(page).getByRole('combobox', { name: 'Choose the Month' }).selectOption('January')
  await filterMenu(page).getByRole('combobox', { name: 'Choose the Year' }).selectOption('2026')
  await filterMenu(page).getByRole('button', { name: '5 January 2026', exact: true }).click()
  await filterMenu(page).getByRole('button', { name: '6 January 2026', exact: true }).click()
  await filterMenu(page).getByRole('button', { name: 'Apply' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(short(early))
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    type: 'withdrawal',
    userId: investor.id,
    from: '2026-01-05',
    to: '2026-01-06',
  })
  await page.reload()
  await expect(filterChip(page, 'Date Jan 05, 2026 to Jan 06, 2026')).toBeVisible()
  await page.goto(page.url().replace('2026-01-06', '2026-01-08'))
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText(short(late))
  await page.getByRole('button', { name: /^Remove filter: Of/ }).click()
  await expect(page).not.toHaveURL(/userId/)
})

test('more than 10,000 transfers are walked without an exact total (product 4.5)', async ({ page, server }) => {
  await importTransfer(server, {})
  await page.route(/\/api\/blockchain-transactions\/?\?/, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), total: 10_000, totalExact: false } })
  })
  const counted = page.waitForResponse(/blockchain-transactions.*total=exact/)
  await page.goto('/transactions')
  await expect(rows(page)).toHaveCount(50)
  await counted
  await expect(page.getByText('Showing 1 to 50 of more than 10,000 entries')).toBeVisible()
  await expect(page.getByText('Page 1 of more than 200')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Showing 51 to \d+ of more than 10,000 entries$/)).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
})
