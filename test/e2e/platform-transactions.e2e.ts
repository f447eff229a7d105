import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { chooseFilter, filterChip } from './support/filters.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember, buildWaitingOrder } from './support/members.ts'

const region = (page: Page) => page.getByRole('region', { name: 'Platform transactions', exact: true })
const rows = (page: Page) =>
  region(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Copy transaction id/ }) })
const total = (page: Page) => page.getByText(/^Showing .* entries$/)
const box = (page: Page, name: string) => page.getByRole('combobox', { name })

/** A member with platform transactions and an order, and nothing on the chain. */
async function importCustomer(server: ConsoleServer, count = 2) {
  const member = await importMember(server)
  await server.importLines(
    ...Array.from({ length: count }, (_, index) => ({
      type: 'transaction',
      id: `t-${member.id}-${index}`,
      memberId: member.id,
      kind: index === 0 ? 'withdrawal' : 'deposit',
      amount: '1180.5',
      status: index === 0 ? 'failed' : 'completed',
      createdAt: `2026-01-05T09:${String(index).padStart(2, '0')}:00Z`,
    })),
    buildWaitingOrder(member.id),
  )
  return member
}

test('the Platform tab lists every movement with its member', async ({ page, server }) => {
  const member = await importCustomer(server)
  await page.goto('/transactions')
  await expect(page.getByRole('tab')).toHaveText(['Chain', 'Platform', 'Treasury'])
  await expect(page.getByRole('tab', { name: 'Chain' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Platform' }).click()
  await expect(page).toHaveURL('/transactions?tab=platform')
  await expect(region(page).getByRole('columnheader')).toHaveText([
    'User',
    'Type',
    'Amount',
    'Status',
    'Date',
    'Transaction ID',
  ])
  await page.getByRole('searchbox').fill(member.email)
  const row = rows(page).filter({ hasText: `t-${member.id}-0` })
  for (const text of [member.name, member.email, 'Withdrawal', '-$1,180.50', 'Failed', 'Jan 05, 2026 at 09:00'])
    await expect(row).toContainText(text)
  await row.getByRole('link', { name: member.name }).press('Enter')
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('filters and search ask the server, stand in the address, and go with the tab', async ({ page, server }) => {
  const member = await importCustomer(server)
  await page.goto('/transactions?tab=platform')
  await page.getByRole('searchbox', { name: 'Search by name, email or transaction id' }).fill(member.email)
  await expect(rows(page)).toHaveCount(2)
  await chooseFilter(page, 'Withdrawal')
  await expect(rows(page)).toHaveCount(1)
  await box(page, 'Status filter').selectOption('Completed')
  await expect(region(page)).toContainText("Transactions are found by their member's name or email")
  await page.reload()
  await expect(filterChip(page, 'Type Withdrawal')).toBeVisible()
  await expect(box(page, 'Status filter')).toHaveValue('completed')
  await page.getByRole('tab', { name: 'Chain' }).click()
  await expect(page).toHaveURL('/transactions')
})

test("the dashboard's card of today leads to the list that counts the same", async ({ page, operator }) => {
  await page.goto('/')
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  await page.getByRole('link', { name: /^Today's Transactions/ }).click()
  await expect(page).toHaveURL('/transactions?tab=platform&created=today')
  await expect(filterChip(page, 'Date Today')).toBeVisible()
  const card = await (await operator.get(`/api/analytics?timeZone=${encodeURIComponent(timeZone)}`)).json()
  await expect(total(page)).toContainText(`of ${Number(card.todayTransactions).toLocaleString('en-US')} entries`)
  await filterChip(page, 'Date Today').click()
  await expect(page).toHaveURL('/transactions?tab=platform')
})

test("a member's page leads to their platform transactions and orders", async ({ page, server }) => {
  const member = await importCustomer(server)
  await page.goto(`/users/${member.id}`)
  await expect(page.getByRole('tab', { name: 'Transactions' })).toHaveCount(0)
  await page.getByRole('link', { name: '2 platform transactions' }).click()
  await expect(page).toHaveURL(`/transactions?tab=platform&userId=${member.id}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(total(page)).toHaveText('Showing 1 to 2 of 2 entries')
  await page.goBack()
  await page.getByRole('link', { name: 'View all orders of this member' }).click()
  await expect(page).toHaveURL(`/orders?userId=${member.id}`)
  await expect(total(page)).toHaveText('Showing 1 to 1 of 1 entries')
  await page.getByRole('button', { name: `Remove filter: Of ${member.name}` }).click()
  await expect(page).toHaveURL('/orders')
})

test('what is shown is exported, filters and all', async ({ page, server }) => {
  const member = await importCustomer(server)
  await page.goto(`/transactions?tab=platform&userId=${member.id}&type=deposit`)
  await expect(rows(page)).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file.trimEnd().split('\r\n')).toHaveLength(2)
  expect(file).toContain(`t-${member.id}-1`)
})

test('axe finds nothing on the Platform tab, wide and narrow', async ({ page }) => {
  await page.goto('/transactions?tab=platform')
  await expect(rows(page)).toHaveCount(50)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/transactions?tab=platform&status=failed&created=today')
  await expect(total(page)).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
