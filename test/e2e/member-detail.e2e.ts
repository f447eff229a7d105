import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, readClipboard, test } from './support/harness.ts'
import { importInvestor, importMember, newWord, buildSubmission } from './support/members.ts'

const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('table')
const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
/** What is seen, without the labels that only narrow screens show. */
const seen = { useInnerText: true }
const dialog = (page: Page) => page.getByRole('dialog')
const header = (page: Page) => page.getByRole('main')

test('user detail: header, four cards, and the tabs of a full member (product 5.4)', async ({
  page,
  context,
  server,
}) => {
  const member = await importInvestor(server)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/users/${member.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(member.name)
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('User Management')
  await expect(header(page).getByText(member.email).first()).toBeVisible()
  await expect(header(page).getByText('KYC Pending')).toBeVisible()
  await expect(header(page).getByText('Banned')).toBeHidden()
  const cards = page.getByRole('region', { name: 'Summary' })
  await expect(cards).toContainText(`User ID${member.id}`)
  await expect(cards).toContainText('Joined Jan 05, 2026 at 09:07')
  await expect(cards).toContainText('Wallets1')
  await expect(cards).toContainText('Blockchain Transactions12')
  await expect(cards).toContainText('KYC ProgressStep 1 of 4')
  await cards.getByRole('button', { name: 'Copy user id' }).click()
  await expect.poll(() => readClipboard(page)).toBe(member.id)
  await expect(page.getByRole('tab')).toHaveText([
    'Profile',
    'KYC Details',
    'Wallets1',
    'Transactions24',
    'Fractions1',
    'KYC History',
  ])
  const asked = page.waitForRequest(`**/api/users/${member.id}`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await asked
  await expectToast(page, 'Refreshed')
})

test('the activity of a member says which colleagues viewed it (product 5.17)', async ({ page, server, operator }) => {
  const member = await importMember(server)
  await operator.get(`/api/users/${member.id}`)
  // Views are recorded together, about once a second.
  const viewed = 'SELECT kind, rows FROM data_access WHERE target = $1'
  await expect.poll(() => server.sql(viewed, [member.id])).toEqual([{ kind: 'member', rows: 1 }])
  await page.goto(`/users/${member.id}`)
  await page.getByLabel('Kind of activity').selectOption('Views')
  await expect(page.getByRole('region', { name: 'Activity' }).getByRole('listitem')).toHaveText([/^Viewed.*joan$/])
})

test('the Transactions and Fractions tabs exist only where there are some (product 5.4)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}?tab=transactions&from=mail`)
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'KYC Details', 'Wallets0', 'KYC History'])
  await expect(tab(page, 'Profile')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'Profile').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'KYC Details')).toBeFocused()
  await expect(page).toHaveURL(/tab=kyc/)
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/tab=history/)
  await page.reload()
  await expect(tab(page, 'KYC History')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(tab(page, 'KYC Details')).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/from=mail/)
})

test('Profile: names, e-mail, phone, "Not assigned" and "Not started" (product 5.4)', async ({ page, server }) => {
  const member = await importMember(server, { legalFirstName: 'نور', legalPhone: '+351 912 345 678' })
  await page.goto(`/users/${member.id}`)
  await expect(fact(page, 'First name')).toHaveText('نور')
  await expect(fact(page, 'Last name')).toHaveText(member.name.split(' ')[1]!)
  await expect(fact(page, 'Email')).toHaveText(member.email)
  await expect(fact(page, 'Phone')).toHaveText('+351 912 345 678')
  await expect(fact(page, 'Membership id')).toHaveText('Not assigned')
  await expect(fact(page, 'KYC status')).toHaveText('Not started')
})

test('ban needs a reason, and its panel shows reason, date and operator (product 5.4, 9.5)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await page.getByRole('button', { name: 'Ban User' }).click()
  await expect(dialog(page)).toHaveAccessibleName(`Ban ${member.name}?`)
  await dialog(page).getByRole('button', { name: 'Ban User' }).click()
  await expect(dialog(page).getByLabel('Reason')).toHaveAccessibleDescription('Ban reason is required')
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
  await dialog(page).getByLabel('Reason').fill('Chargeback fraud')
  await dialog(page).getByRole('button', { name: 'Ban User' }).click()
  await expectToast(page, 'User has been banned successfully')
  await expect(header(page).getByText('Banned', { exact: true }).first()).toBeVisible()
  await expect(fact(page, 'Reason')).toHaveText('Chargeback fraud')
  await expect(fact(page, 'Banned on')).toHaveText(/^\w{3} \d{2}, \d{4} at \d{2}:\d{2}$/)
  await expect(fact(page, 'Banned by')).toHaveText('grace')

  await page.getByRole('button', { name: 'Unban User' }).click()
  const confirm = page.getByRole('alertdialog')
  await expect(confirm).toContainText('Are you sure you want to unban this user?')
  await confirm.getByRole('button', { name: 'Unban User' }).click()
  await expectToast(page, 'User has been unbanned successfully')
  await expect(page.getByRole('button', { name: 'Ban User' })).toBeVisible()
  await expect(fact(page, 'Reason')).toBeHidden()
})

test('Wallets: address, balance, network and date (product 5.4)', async ({ page, server }) => {
  const { id, wallet } = await importInvestor(server)
  await page.route(`**/api/wallet-balance/${wallet}`, (route) =>
    route.fulfill({
      json: {
        totalBalance: '1300.5',
        tokens: [
          { tokenSymbol: 'NONE', balance: '0' },
          { tokenSymbol: 'SOLR', balance: '1250' },
          { tokenSymbol: 'OLIV', balance: '50.5' },
        ],
        nativeBalance: '0',
        blockNumber: '1',
        blockAt: '2046-01-05T09:07:00.000Z',
        isOld: true,
        chainId: 56,
        partial: true,
        failed: [{ tokenSymbol: 'HLFT', error: 'call_failed' }],
      },
    }),
  )
  await page.goto(`/users/${id}?tab=wallets`)
  const cells = table(page, 'Wallets').getByRole('cell')
  await expect(cells.nth(0).getByTitle(wallet)).toHaveText(`${wallet.slice(0, 6)}…${wallet.slice(-4)}`)
  await expect(cells.nth(2)).toHaveText('BSC (BEP20)', seen)
  await expect(cells.nth(3)).toHaveText('Jan 06, 2026 at 08:00', seen)
  await cells
    .nth(1)
    .getByRole('button', { name: /^Check Balance/ })
    .click()
  await expect(cells.nth(1)).toContainText('1,250SOLR50.5OLIV')
  await expect(cells.nth(1), 'amounts of different tokens are never added').not.toContainText('1,300.5')
  await expect(cells.nth(1)).toContainText('As of Jan 05, 2046')
  await expect(cells.nth(1)).toContainText('Partial')
  await expect(cells.nth(1), 'what is not held is on hover alone').not.toContainText('NONE')
  await expect(cells.nth(1).getByTitle(/1,250 SOLR\n50.5 OLIV\nHLFT not read/)).toBeVisible()
  const empty = await importMember(server)
  await page.goto(`/users/${empty.id}?tab=wallets`)
  await expect(page.getByRole('region', { name: 'Wallets' })).toContainText('No wallets found')
})

test('an unreadable balance shows "Error" and can be read again (product 9.3)', async ({ page, server }) => {
  const { id } = await importInvestor(server)
  await page.route('**/api/wallet-balance/*', (route) =>
    route.fulfill({ status: 503, json: { message: 'No chain is configured', code: 'chain_disabled' } }),
  )
  await page.goto(`/users/${id}?tab=wallets`)
  const cell = table(page, 'Wallets').getByRole('cell').nth(1)
  await cell.getByRole('button', { name: /^Check Balance/ }).click()
  await expect(cell.getByTitle('No chain is configured')).toContainText('Error')
  await expect(cell.getByRole('button', { name: /^Check balance of .* again/ })).toBeFocused()
})

test('Transactions: the first 10 of each kind, amounts with every digit (product 5.4, 14)', async ({
  page,
  server,
}) => {
  const { id } = await importInvestor(server)
  await page.goto(`/users/${id}?tab=transactions`)
  const platform = table(page, 'Platform transactions')
  const chain = table(page, 'Blockchain transactions')
  await expect(platform.getByRole('columnheader')).toHaveText(['Type', 'Amount', 'Status', 'Date'])
  await expect(platform.getByRole('row')).toHaveCount(11)
  for (const [row, type, amount, status] of [
    [1, 'Deposit', '+$2,500.50', 'Completed'],
    [2, 'Withdrawal', '-$2,500.50', 'Pending'],
    [3, 'Other', '+$2,500.50', 'Failed'],
  ] as const)
    await expect(platform.getByRole('row').nth(row).getByRole('cell')).toContainText([
      type,
      amount,
      status,
      'Mar 01, 2026',
    ])
  await expect(chain.getByRole('columnheader')).toHaveText(['Hash', 'Token', 'Amount', 'Project', 'Received'])
  await expect(chain.getByRole('row')).toHaveCount(11)
  const cells = chain.getByRole('row').nth(1).getByRole('cell')
  await expect(cells.nth(0)).toHaveText(/^0x[0-9a-f]{4}…[0-9a-f]{4}/, seen)
  await expect(cells.nth(0).getByRole('button', { name: /^Copy transaction hash/ })).toBeVisible()
  await expect(cells.nth(1)).toHaveText('SOLR', seen)
  await expect(cells.nth(2)).toHaveText('0.000000000000000425 SOLR', seen)
  await expect(cells.nth(3)).toHaveText('Solar Park', seen)
  await expect(cells.nth(4)).toHaveText('Mar 01, 2026 at 10:30', seen)
  await expect(page.getByText('Showing 10 of 12')).toHaveCount(2)
  const all = page.getByRole('link', { name: 'View all' })
  await expect(all.last()).toHaveAttribute('href', `/transactions?userId=${id}`)
  await page.setViewportSize({ width: 768, height: 900 })
  const isWhole = (element: Element) => element.scrollWidth <= element.clientWidth
  for (const whole of [cells.nth(2).getByTitle('0.000000000000000425 SOLR'), cells.last()])
    await expect.poll(() => whole.evaluate(isWhole)).toBe(true)
})

test('a member with only transfers reads "No transactions found" (product 9.6)', async ({ page, server }) => {
  const member = await importInvestor(server)
  await server.sql('DELETE FROM platform_transactions WHERE member_id = $1', [member.id])
  await page.goto(`/users/${member.id}?tab=transactions`)
  await expect(page.getByRole('region', { name: 'Platform transactions' })).toContainText('No transactions found')
})

test('Fractions: project, amount, shortened token address and date (product 5.4)', async ({ page, server }) => {
  const { id } = await importInvestor(server)
  const arabic = 'مشروع الطاقة الشمسية'
  await server.importLines({
    type: 'fraction',
    id: `f2-${id}`,
    memberId: id,
    projectName: arabic,
    amount: '1',
    tokenAddress: `0x${'0'.repeat(40)}`,
    receivedAt: '2026-02-01T10:00:00Z',
  })
  await page.goto(`/users/${id}?tab=fractions`)
  const cells = table(page, 'Fractions').getByRole('cell')
  await expect(cells.nth(0)).toHaveText('Olive Groves', seen)
  await expect(cells.nth(1)).toHaveText('12.5', seen)
  await expect(cells.nth(2)).toHaveText(/^0x[0-9a-f]{4}…0000/, seen)
  await expect(cells.nth(3)).toHaveText('Mar 01, 2026 at 10:01', seen)
  const startOf = (name: string) =>
    table(page, 'Fractions')
      .getByTitle(name)
      .evaluate((element) => {
        const text = document.createRange()
        text.selectNodeContents(element)
        return Math.round(text.getBoundingClientRect().left)
      })
  expect(await startOf(arabic)).toBe(await startOf('Olive Groves'))
})

test('an unknown or impossible member id is "User not found" with a way back (product 5.4)', async ({ page }) => {
  for (const id of ['nobody', 'no%20body!']) {
    await page.goto(`/users/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('User not found')
    await expect(page.getByRole('main')).toContainText('User not found')
  }
  await page.getByRole('main').getByRole('link', { name: 'Back to User Management' }).click()
  await expect(page).toHaveURL('/users')
})

test('axe finds nothing on any tab or dialog of a member, wide and narrow (product 3.8)', async ({ page, server }) => {
  test.slow()
  const { id } = await importInvestor(server)
  await server.importLines(buildSubmission(id))
  await page.goto(`/users/${id}`)
  for (const each of ['Profile', 'KYC Details', 'Wallets', 'Transactions', 'Fractions', 'KYC History']) {
    await page.getByRole('tab', { name: each }).click()
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await expect(page.getByRole('tabpanel', { name: each })).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  }
  await page.getByRole('tab', { name: 'KYC Details' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/users/${newWord()}`)
  await expect(page.getByRole('link', { name: 'Back to User Management' })).toBeVisible()
  await expectAccessible(page)
})
