import { expect, expectAccessible, test } from './support/harness.ts'
import { openScreen } from './support/screens.ts'

test.use({ data: 'empty' })

const noMembers = 'No data availableMembers appear here as the platform sends them.'
const noAttempts = 'Attempts appear here as members submit them on the platform.'
const noCases = ['Total KYC Submissions0', `No data available${noAttempts}`]
const noSteps = ['Total KYC Submissions0', `No history found${noAttempts}`]
const noAccounts = 'Add the account whose statements you import'
const noChain = 'set BSC_RPC_URLS.'
const noRows = 'Showing 0 to 0 of 0 entries'

/** What each screen says where nothing has happened yet. */
const screens: Record<string, (string | RegExp)[]> = {
  '/': [
    /Needs you\s*All clear/,
    'Total Users0',
    "Today's Transactions0",
    'Nobody registered in this period or the one before.',
    'Nobody has submitted yet',
    'nobody waits',
    'No order waits for payment',
    'No transfers in this period',
    'No members yet',
    'No transactions yet',
  ],
  '/users': [noMembers, noRows],
  '/orders': ['No data availableOrders appear here as the platform sends them.', noRows],
  '/reconciliation': [noAccounts],
  '/reconciliation?tab=lines': [noAccounts],
  '/tokens': ['Fractions Tokens0', 'No data availableTokens appear here once you add them or the platform sends them.'],
  '/transactions': [
    'Total Transactions0',
    'nothing completed yet',
    'Chain off',
    'No data availableTransfers appear here as they are read from the chain.',
    noRows,
  ],
  '/transactions?tab=platform': ['No data available. Deposits and withdrawals appear here as soon as', noRows],
  '/transactions?tab=treasury': [noChain, 'No own wallets are labelled yet'],
  '/kyc': [...noCases, 'Start Reviewnone waiting'],
  '/kyc?tab=verifications': noCases,
  '/kyc?tab=step2': noSteps,
  '/kyc?tab=step3': noSteps,
  '/kyc?tab=step4': noSteps,
  '/kyc-webhooks': ['Total Attempts0', 'Success Rate–', 'No webhook logs found', 'No failures'],
  '/kyc-webhooks?tab=deliveries': ['No endpoint for events', 'No messages yet.', noRows],
  '/kyc-webhooks?tab=endpoints': ['Further endpoints appear here once you add them'],
  '/security': [
    'Total Events0',
    'No data availableFailed sign-ins and other risks appear here as they happen.',
    noRows,
  ],
  '/security?tab=actions&status=create_token': ['No data available', noRows],
  '/approvals': ['No data available', noRows],
  '/bulk': ['No data availableJobs over many rows of a list appear here with their results.', noRows],
  '/account': ['No passkeys yet', 'No authenticator apps yet', 'No webhook yet.', 'You are signed in nowhere else.'],
}

test('an empty console says on each screen what would be there and how it comes (product 4.1)', async ({ page }) => {
  for (const [path, texts] of Object.entries(screens))
    await test.step(path, async () => {
      await openScreen(page, path)
      for (const text of texts) await expect(page.getByRole('main')).toContainText(text)
      await expect(page.getByText('Demo data')).toHaveCount(0)
      await expectAccessible(page)
    })
  await page.goto('/kyc?tab=step2&review=next')
  await expect(page.getByRole('heading', { name: 'All caught up' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to KYC Management' }).click()
  await expect(page).toHaveURL('/kyc?tab=step2')
})
