import { givePassword } from './demo-operators.ts'
import { operatorScreens } from './operator-screens.ts'
import { button, dialog, list, memberTab, type Screen } from './screen-parts.ts'

/** Every screen, in the order of the sidebar. */
export const screens: Screen[] = [
  {
    name: 'login',
    title: 'Super Admin Login',
    isPublic: true,
    show: async (page) => {
      await page.goto('/')
      await page.getByLabel('Username').waitFor()
    },
  },
  {
    name: 'login-second-factor',
    title: 'Sign-in: the second factor',
    isPublic: true,
    show: async (page) => {
      await givePassword(page)
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    },
  },
  {
    name: 'dashboard',
    title: 'Dashboard',
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('table', { name: /Registrations/ }).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'search',
    title: 'Search and command palette',
    show: async (page) => {
      await page.goto('/users')
      await page.getByRole('table').getByText('Active').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search users, transactions' }).fill('silva')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'notices',
    title: 'Notices',
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('table', { name: /Registrations/ }).waitFor({ state: 'attached' })
      await button(page, /^Notifications/).click()
      await page.getByRole('dialog').getByRole('link').first().waitFor()
    },
  },
  list('users', 'User Management', '/users', 'Active'),
  dialog('users-ban-dialog', 'Ban a member', '/users', /^Ban/),
  memberTab('user-profile', 'A member: profile', 'Profile'),
  memberTab('user-kyc-details', 'A member: KYC details', 'KYC Details'),
  memberTab('user-wallets', 'A member: wallets', 'Wallets'),
  memberTab('user-kyc-history', 'A member: KYC history', 'KYC History'),
  list('orders', 'Order Management', '/orders', /^(Waiting Payment|Paid|Completed|Expired|Cancelled)$/),
  {
    name: 'order',
    title: 'An order',
    show: async (page) => {
      await page.goto('/orders')
      await page.getByRole('link', { name: /^View/ }).first().click()
      await page.getByText('Investment Order Details').waitFor()
    },
  },
  {
    name: 'order-payments',
    title: 'An order that the bank’s money has paid',
    show: async (page) => {
      const reply = await page.request.get('/api/orders?status=paid&limit=100')
      const { orders }: { orders: { id: string; paidVia: string | null }[] } = await reply.json()
      await page.goto(`/orders/${orders.find(({ paidVia }) => paidVia === 'bank')!.id}`)
      await page.getByRole('heading', { name: 'Payments' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'reconciliation',
    title: 'Reconciliation',
    show: async (page) => {
      await page.goto('/reconciliation')
      await page.getByRole('form', { name: 'Bank line' }).getByRole('region', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'reconciliation-account',
    title: 'Reconciliation: one account',
    show: async (page) => {
      await page.goto('/reconciliation')
      await button(page, / to do$/).click()
      await page.getByRole('menuitemradio', { name: /EUR/ }).click()
      await page.getByRole('form', { name: 'Bank line' }).getByRole('region', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'reconciliation-split',
    title: 'Reconciliation: a line in parts',
    show: async (page) => {
      await page.goto('/reconciliation')
      await button(page, /^Split/).click()
      await page.getByRole('region', { name: 'Split' }).waitFor()
    },
  },
  list('reconciliation-statements', 'Reconciliation: statements', '/reconciliation?tab=statements', 'camt.054'),
  list('reconciliation-imports', 'Reconciliation: imports', '/reconciliation?tab=imports', 'Demo platform'),
  list(
    'reconciliation-refunds',
    'Reconciliation: refunds due',
    '/reconciliation?tab=lines&attention=refund_due',
    'ORD-',
  ),
  {
    name: 'reconciliation-policy-dialog',
    title: 'Reconciliation: the policy',
    show: async (page) => {
      await page.goto('/reconciliation')
      await button(page, / to do$/).click()
      await page.getByRole('menuitem', { name: 'Policy' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  list('tokens', 'Token Management', '/tokens', /^(Active|Inactive)$/),
  dialog('tokens-add-dialog', 'Add a token', '/tokens', 'Add Token'),
  list('transactions', 'Transaction Monitoring', '/transactions', /^(Completed|Pending|Failed)$/),
  list('transactions-platform', 'Platform transactions', '/transactions?tab=platform', /^(Completed|Pending|Failed)$/),
  {
    name: 'transactions-treasury',
    title: 'Treasury',
    show: async (page) => {
      await page.goto('/transactions?tab=treasury')
      // The local chain starts beside the console, and a reading that failed is tried again after a minute.
      await page.getByRole('table').getByText('% of supply').first().waitFor({ timeout: 150_000 })
    },
  },
  list('kyc-submissions', 'KYC Management: submissions', '/kyc', /Under Review|Approved/),
  list('kyc-verifications', 'KYC Management: verifications', '/kyc?tab=verifications&status=pending', 'Not scored'),
  list('kyc-step3', 'KYC Management: step 3 history', '/kyc?tab=step3', /View|Front/),
  {
    name: 'kyc-review',
    title: 'Review mode',
    show: async (page) => {
      await page.goto('/kyc?review=next')
      await page.getByRole('img', { name: /front/i }).first().waitFor()
      await page.waitForTimeout(500)
    },
  },
  {
    name: 'kyc-webhooks',
    title: 'KYC Webhooks',
    show: async (page) => {
      await page.goto('/kyc-webhooks')
      await page.getByText('Recent Webhook Logs').waitFor()
      await page.waitForTimeout(500)
    },
  },
  list('deliveries', 'Delivery Log', '/kyc-webhooks?tab=deliveries', /^(member|order|kyc)\./),
  dialog('delivery', 'A message and its tries', '/kyc-webhooks?tab=deliveries&kind=case', /^Details/),
  list('endpoints', 'Endpoints', '/kyc-webhooks?tab=endpoints', /settings|PLATFORM_WEBHOOK_URL/),
  {
    name: 'api-docs',
    title: "The API's description",
    show: async (page) => {
      await page.goto('/api/docs')
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  ...operatorScreens,
]
