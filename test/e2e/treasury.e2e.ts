import type { Page } from '@playwright/test'
import { mostTreasuryWallets } from '#contract/treasury.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { findLayoutFaults } from './support/layout-faults.ts'

const holdings = (page: Page) => page.getByRole('region', { name: 'Holdings by token' })
const own = (page: Page) => page.getByRole('region', { name: 'Own wallets' })
const address = (n: number) => `0x${n.toString(16).padStart(40, '7')}`

const token = {
  contractAddress: address(1),
  tokenSymbol: 'SOLR',
  projectName: 'Solar Park',
  members: '250000.000000000000000425',
  holders: 840,
  own: '1000',
  ownWallets: [],
  supply: '1000000',
  membersShare: '25',
  ownShare: '0.1',
  problem: null,
}
const unread = { ...token, contractAddress: address(2), tokenSymbol: 'GONE', members: null, holders: null, own: null }
const reading = {
  blockNumber: 74_210_362,
  blockAt: '2026-01-05T09:07:00.000Z',
  readAt: '2026-01-05T09:08:00.000Z',
  wallets: 1200,
  tokens: [token, { ...unread, supply: null, membersShare: null, ownShare: null, problem: 'no_contract' }],
}
const state = { isChainOn: true, reading, failure: null, wallets: [] }

/** What the call answers, in place of a chain. */
const answer = (page: Page, body: object) =>
  page.route('**/api/chain/treasury', (route) => route.fulfill({ json: body }))

test('Treasury: every token of one block, and what was not read (product 5.8)', async ({ page }) => {
  await answer(page, { ...state, failure: { problem: 'The blockchain cannot be reached', at: reading.readAt } })
  await page.goto('/transactions?tab=treasury')
  await expect(page.getByText('Block 74,210,362')).toBeVisible()
  await expect(page.getByText('1,200 wallets of members')).toBeVisible()
  const [solar, gone] = [holdings(page).getByRole('row').nth(1), holdings(page).getByRole('row').nth(2)]
  await expect(solar.getByRole('cell')).toHaveText([
    'SOLRSolar Park',
    'Members250,000.000000000000000425…840 wallets25% of supply',
    'Own Wallets1,000.0000000.1% of supply',
    'Total Supply1,000,000.000000',
  ])
  await expect(gone.getByRole('cell')).toHaveText([
    'GONESolar ParkNo contract answers at this address',
    'MembersNot read',
    'Own WalletsNot read',
    'Total SupplyNot read',
  ])
  await expect(page.getByRole('alert')).toHaveText(
    /^The last reading failed .*: The blockchain cannot be reached\. The figures below are older\./,
  )
  await expectAccessible(page)
})

test('Treasury: an own wallet is added, renamed and removed (product 5.8)', async ({ page }) => {
  await page.goto('/transactions')
  await page.getByRole('tab', { name: 'Treasury' }).click()
  await expect(own(page)).toContainText('No own wallets are labelled yet')
  await page.getByRole('button', { name: 'Add Wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Wallet' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(['must be 0x and 40 hexadecimal digits', 'Required'])
  await dialog.getByLabel('Address').fill('0x52908400098527886E0F7030069857D2E4169Ee7')
  await dialog.getByLabel('Label').fill('Payouts')
  await dialog.getByRole('button', { name: 'Add Wallet' }).click()
  await expect(dialog.getByRole('alert')).toContainText('checksum')
  await dialog.getByLabel('Address').fill('0x52908400098527886E0F7030069857D2E4169EE7')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add Wallet' }).click()
  await expect(own(page).getByRole('row', { name: /Payouts/ })).toContainText('0x5290…9ee7')
  await page.getByRole('button', { name: 'Edit Payouts' }).click()
  await dialog.getByLabel('Label').fill('Cold storage')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove Cold storage' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(own(page)).toContainText('No own wallets are labelled yet')
})

test('Treasury: without a chain the tab says so and shows no figures', async ({ page }) => {
  await answer(page, { ...state, isChainOn: false, reading: null })
  await page.goto('/transactions?tab=treasury')
  await expect(holdings(page)).toContainText('The chain is off')
  await expect(page.getByRole('button', { name: 'Read Now' })).toHaveCount(0)
})

test('Treasury: with the most own wallets there are, it says why none can be added', async ({ page }) => {
  const wallet = { label: 'Cold', memberId: null, createdAt: reading.readAt, createdBy: 'grace', version: 1 }
  const wallets = Array.from({ length: mostTreasuryWallets }, (_, n) => ({
    ...wallet,
    id: String(n),
    address: address(n),
  }))
  await answer(page, { ...state, wallets })
  await page.goto('/transactions?tab=treasury')
  await expect(page.getByText(`There are ${mostTreasuryWallets}, and no more can be added.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Wallet' })).toBeDisabled()
})

test('Treasury: an own wallet with the longest names fits every window', async ({ page }) => {
  const names = { label: 'W'.repeat(64), createdBy: 'W'.repeat(64) }
  const wallet = { ...names, id: '1', address: address(3), memberId: null, createdAt: reading.readAt, version: 1 }
  await answer(page, { ...state, wallets: [wallet] })
  await page.goto('/transactions?tab=treasury')
  await expect(own(page)).toContainText('WWW')
  for (const width of [375, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => findLayoutFaults(page), { message: `at ${width} px` }).toEqual([])
  }
})
