import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, setTheme, test, themes } from './support/harness.ts'
import { importInvestor, importMember, newWord } from './support/members.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search users, transactions' })
const popup = (page: Page) => page.getByRole('listbox', { name: 'Search results' })
const group = (page: Page, name: string) => popup(page).getByRole('group', { name })
const commands = (page: Page) => group(page, 'Screens and actions').getByRole('option')
/** What the popup says of itself; the first status in the header is the Live dot's. */
const status = (page: Page) => page.getByRole('banner').getByRole('status').last()
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const address = () => `0x${randomBytes(20).toString('hex')}`

/** Types into the box that `key` opens, wherever the focus is. */
async function search(page: Page, typed: string, key = '/') {
  await expect(box(page)).toBeAttached()
  // A page that has just come takes the focus once: the key is pressed again then.
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(box(page)).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type(typed)
}
/** Opens the first option, which is one of this group, without choosing it first. */
async function choose(page: Page, name: string) {
  const option = group(page, name).getByRole('option').first()
  await expect(option).toBeVisible()
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(popup(page)).toHaveCount(0)
  await expect(box(page)).toHaveValue('')
}

test('by keyboard alone a member is found by e-mail (product 3.7)', async ({ page, server }) => {
  const member = await importMember(server, { legalFirstName: 'مريم' })
  await page.goto('/orders')
  await search(page, member.email, 'Control+k')
  const option = group(page, 'Members').getByRole('option')
  await expect(option).toHaveCount(1)
  await expect(option).toContainText(member.name)
  await expect(option.locator('b')).toHaveText([member.email])
  await choose(page, 'Members')
  await expect(page).toHaveURL(`/users/${member.id}`)
  await expect(page.getByRole('main')).toBeFocused()
})

test('an order by its number, a token by its symbol, a transfer by its hash (product 3.7)', async ({
  page,
  server,
}) => {
  const investor = await importInvestor(server)
  const [word, symbol] = [newWord().toUpperCase(), newWord().toUpperCase().slice(-10)]
  await server.importLines(
    {
      type: 'order',
      orderNumber: `ORD-${word}`,
      memberId: investor.id,
      projectId: 'p-1',
      projectName: 'Solar Park',
      investmentAmount: '1500.00',
      currency: 'EUR',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      bankName: 'Meridian Bank',
      accountHolder: 'Solar Park Ltd',
      accountNumber: '0012345',
      iban: 'XX00 0000 0012 345',
      swift: 'MERIXX00',
      paymentInstructions: 'Give the order number as the reference.',
    },
    {
      type: 'token',
      kind: 'fractions',
      contractAddress: address(),
      projectName: 'Solar Park',
      tokenSymbol: symbol,
      decimals: 18,
      isActive: true,
    },
  )
  const bringTransfer = async (walletAddress: string) => {
    const transactionHash = `0x${randomBytes(32).toString('hex')}`
    const given = { logIndex: 0, transactionType: 'deposit', tokenAddress: address(), amount: '1', status: 'completed' }
    const createdAt = '2026-03-01T10:00:00Z'
    await server.importLines({ type: 'chainTransaction', ...given, transactionHash, walletAddress, createdAt })
    return transactionHash
  }
  const [mine, strange] = [await bringTransfer(investor.wallet), await bringTransfer(address())]

  await page.goto('/security')
  await search(page, `ord-${word.toLowerCase()}`)
  await choose(page, 'Orders')
  await expect(heading(page)).toHaveText(`Order #ORD-${word}`)
  await search(page, symbol.toLowerCase())
  await choose(page, 'Tokens')
  await expect(page).toHaveURL('/tokens?tab=fractions')
  await search(page, mine)
  await choose(page, 'Transactions')
  await expect(page).toHaveURL(`/users/${investor.id}?tab=transactions`)
  await search(page, strange.slice(0, 12))
  await choose(page, 'Transactions')
  await expect(page).toHaveURL(`/transactions?search=${strange}`)

  // The monitor shows what was searched for, and lets go of it.
  const monitored = page.getByRole('searchbox', { name: 'Transaction hash or wallet address' })
  await expect(monitored).toHaveValue(strange)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await monitored.fill('')
  await expect(page).toHaveURL('/transactions')
  await expect(page.getByText(/^Showing 1 to 50 of/)).toBeVisible()
  await monitored.fill(strange.slice(0, 12))
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await monitored.fill('a member')
  await expect(page.getByText(/Transactions are found by their hash or wallet address/)).toBeVisible()
})

test('with nothing typed it offers every screen and action, and narrows them (product 3.7)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/kyc-webhooks')
  const opener = page.getByRole('button', { name: /Admin User/ })
  await opener.focus()
  await search(page, '')
  await expect(commands(page)).toHaveText([
    'Dashboard',
    'User Management',
    'Orders',
    'Token Management',
    'Transactions',
    'KYC Reviews',
    'KYC Webhooks',
    'Security Logs',
    'Start KYC review',
    'Add Token',
    'Export Report',
    'Switch to dark theme',
    "Use the system's theme",
    'Sign out',
  ])
  const chosen = popup(page).getByRole('option', { selected: true })
  for (const [key, label] of [
    ['ArrowUp', 'Sign out'],
    ['ArrowDown', 'Dashboard'],
    ['End', 'Sign out'],
    ['Home', 'Dashboard'],
    ['ArrowDown', 'User Management'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(chosen).toHaveText(label)
  }
  await page.keyboard.press('Escape')
  await expect(popup(page)).toHaveCount(0)
  await expect(opener).toBeFocused()

  await search(page, 'dark')
  await expect(status(page)).toHaveText('Nothing found for “dark”')
  await expect(chosen).toHaveText('Switch to dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(opener).toBeFocused()

  await search(page, 'export')
  const download = page.waitForEvent('download')
  await popup(page).getByRole('option', { name: 'Export Report' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  await expectToast(page, 'Report downloaded')

  await search(page, 'review')
  await popup(page).getByRole('option', { name: 'Start KYC review' }).click()
  await expect(page).toHaveURL(/\/kyc\?(.*&)?review=/)

  // The session is the other tests' too.
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 204 }))
  await page.goto('/users')
  await search(page, 'sign out')
  await popup(page).getByRole('option', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
})

test('missing and failed results are named (product 3.7)', async ({ page, server }) => {
  const member = await importMember(server)
  const word = member.email.split('@')[0]!
  const late = Promise.withResolvers<void>()
  let isDown = false
  await page.route(/\/api\/search/, async (route) => {
    if (isDown) return route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_away' } })
    if (
      route
        .request()
        .url()
        .endsWith(`q=${word.slice(0, -1)}`)
    )
      await late.promise
    return route.continue().catch(() => {})
  })
  await page.goto('/security')
  await search(page, 'no one is called this')
  await expect(status(page)).toHaveText('Nothing found for “no one is called this”')
  await expect(group(page, 'Search in a list').getByRole('option')).toHaveText([
    'Search User Management for “no one is called this”',
    'Search Orders for “no one is called this”',
  ])
  const first = page.waitForRequest((request) => request.url().endsWith(`q=${word.slice(0, -1)}`))
  await box(page).fill(word.slice(0, -1))
  await first
  await box(page).fill(word)
  const members = group(page, 'Members').getByRole('option')
  await expect(members).toContainText([member.email])
  late.resolve()
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(members.locator('b').first()).toHaveText(word)

  isDown = true
  await box(page).fill(`${word}@`)
  await expect(status(page)).toHaveText('The search failed: The database is away')
  isDown = false
  await expect(popup(page).getByRole('option', { selected: true })).toHaveText('Try again')
  await page.keyboard.press('Enter')
  await expect(members).toContainText([member.email])
  await popup(page).getByRole('option', { name: 'Search User Management for' }).click()
  await expect(page).toHaveURL(`/users?search=${encodeURIComponent(`${word}@`)}`)
})

test('a named screen or action comes before members that contain its letters', async ({ page, server }) => {
  await importMember(server, { legalFirstName: 'Samir', legalLastName: 'Alhaddad' })
  const named = await importMember(server, { legalFirstName: 'Signe', legalLastName: newWord() })
  await page.goto('/kyc-webhooks')
  await search(page, 'add')
  await expect(group(page, 'Members').getByRole('option').first()).toBeVisible()
  await expect(popup(page).getByRole('option', { selected: true })).toHaveText('Add Token')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Add')
  await page.keyboard.press('Escape')
  // What ends the session never comes first while anything else is found.
  await search(page, 'sign')
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(popup(page).getByRole('option', { selected: true })).toContainText(named.name)
})

test('Enter that comes before the answer opens the first hit when it is there', async ({ page, server }) => {
  const member = await importMember(server)
  const answered = Promise.withResolvers<void>()
  await page.route(/\/api\/search\/?\?/, async (route) => {
    await answered.promise
    await route.continue().catch(() => {})
  })
  await page.goto('/security')
  await search(page, '')
  await page.keyboard.insertText(` ${member.email}; `)
  await expect(popup(page)).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  answered.resolve()
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('a wallet opens its owner, and a platform transaction its row', async ({ page, server }) => {
  const investor = await importInvestor(server)
  const id = `tx-${newWord()}`
  await server.importLines({
    type: 'transaction',
    id,
    memberId: investor.id,
    kind: 'deposit',
    amount: '7487.25',
    status: 'completed',
    createdAt: '2026-03-01T10:00:00Z',
  })
  await page.goto('/security')
  await search(page, investor.wallet.toUpperCase().replace('X', 'x'))
  await choose(page, 'Members')
  await expect(page).toHaveURL(`/users/${investor.id}`)
  await search(page, '7,487.25')
  const option = group(page, 'Platform transactions').getByRole('option').first()
  await expect(option).toContainText('+$7,487.25')
  await expect(option).toContainText('Completed')
  await box(page).fill(id)
  await choose(page, 'Platform transactions')
  await expect(page).toHaveURL(`/transactions?tab=platform&search=${id}`)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
})

test('an empty search offers what was open last until the sign-out', async ({ page, server }) => {
  const [one, other] = [await importMember(server), await importMember(server)]
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
  for (const { id, name } of [one, other]) {
    await page.goto(`/users/${id}`)
    await expect(heading(page)).toHaveText(name)
    await expect.poll(kept).toContain(id)
  }
  await search(page, '')
  const recent = group(page, 'Recent').getByRole('option')
  await expect(recent).toHaveCount(2)
  await expect(recent.nth(0)).toContainText(other.name)
  await recent.nth(1).click()
  await expect(page).toHaveURL(`/users/${one.id}`)
  expect(await kept()).toContain(one.id)
  expect(await kept()).not.toContain(one.email)
  // The session is the other tests' too.
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 204 }))
  await search(page, 'sign out')
  await popup(page).getByRole('option', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  expect(await kept()).not.toContain(one.id)
})

for (const theme of themes)
  test(`axe finds nothing with the results open, ${theme}, wide and at 375 px (product 3.8)`, async ({ page }) => {
    await setTheme(page, theme)
    await page.goto('/kyc-webhooks')
    await search(page, 'ol')
    await expect(group(page, 'Tokens')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 375, height: 812 })
    const opener = page.getByRole('button', { name: 'Search', exact: true })
    await opener.press('Enter')
    await expect(box(page)).toBeFocused()
    await page.keyboard.type('an')
    await expect(group(page, 'Members')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })

test('what of the search can’t be fetched says so, and the rest goes on (product 3.5)', async ({ page }) => {
  await page.addInitScript(() => {
    // React tells of every error that a boundary caught; these are the test's own.
    const tell = console.error
    console.error = (...words: unknown[]) => String(words[0]).includes('dynamically imported') || tell(...words)
  })
  await page.route(/\/assets\/search-(box|popup)-/, (route) => route.abort())
  await page.goto('/kyc-webhooks')
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await expect(heading(page)).toHaveText('KYC Webhooks')
  await page.unroute(/\/assets\/search-(box|popup)-/)
  await page.route(/\/assets\/search-popup-/, (route) => route.abort())
  await page.reload()
  await search(page, 'silva')
  await expectToast(page, 'Could not be loaded')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users?search=silva')
})
