import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { importCase } from './support/kyc-cases.ts'
import { importOrder } from './support/orders.ts'

interface Screen {
  path: string
  /** The calls that fail, by default all of the screen. */
  calls?: RegExp
  /** What is said to have failed, for each part that loads by itself. */
  says: string[]
  /** How many presses it takes, by default one for each part. Some are of one call. */
  presses?: number
  /** What stands there in the end. */
  shows: string[]
}
/** The data of a member with an order and a case that waits. */
interface Ids {
  member: string
  name: string
  order: string
  verification: string
}

const ofScreens = /:\d+\/api\/(?!auth|live|account$|notices|approval-rules\/own|views)/
const figures = 'The figures could not be loaded'
const failed = (list: string) => `${list} could not be loaded: The database is away`
const firstPage = 'Showing 1 to '

const groups: Record<string, (ids: Ids) => Screen[]> = {
  'members and orders': ({ member, name, order }) => [
    {
      path: '/',
      calls: /\/api\/(analytics\/\w|users|transactions|chain)/,
      says: [
        'The registrations',
        'The waits',
        'The order pipeline',
        'The transfers',
        'Chain',
        'Messages',
        'The recent users',
        'The recent transactions',
      ].map((part) => `${part} could not be loaded`),
      shows: ['Target 48 h', 'Waiting Payment', 'Blocks behind'],
    },
    {
      path: '/',
      calls: /\/api\/analytics\/?(\?|$)/,
      says: ['What needs you could not be loaded', figures, 'The approval rates could not be loaded'],
      presses: 1,
      shows: ['Total Users', 'Pending'],
    },
    { path: '/users', says: [failed('Users')], shows: [firstPage] },
    { path: `/users/${member}`, says: ['This member could not be loaded'], shows: [name] },
    {
      path: `/users/${member}`,
      calls: /\/users\/[^/]+\/(peek|payers|activity)/,
      says: [
        failed('Holdings and orders'),
        'The bank accounts could not be loaded',
        'The activity could not be loaded',
      ],
      presses: 2,
      shows: ['Last activity', 'No bank accounts yet.', 'Joined'],
    },
    {
      path: `/users/${member}?tab=kyc`,
      calls: /\/links/,
      says: ['Could not be loaded: The database is away'],
      shows: ['No phone number, name, account, wallet or picture.'],
    },
    { path: '/orders', says: [failed('Orders')], shows: [firstPage] },
    { path: `/orders/${order}`, says: ['This order could not be loaded'], shows: ['12,500.50 EUR'] },
    {
      path: `/orders/${order}`,
      calls: /\/orders\/[^/]+\/(payments|activity)/,
      says: ['The payments could not be loaded', 'The activity could not be loaded', failed('The payment code')],
      presses: 2,
      shows: ['No bank payment yet.'],
    },
  ],
  'money and KYC': ({ verification }) => [
    { path: '/reconciliation', says: ['The bank accounts could not be loaded'], shows: ['Put Aside'] },
    {
      path: '/reconciliation',
      calls: /\/api\/bank\/lines/,
      says: ['The lines could not be loaded'],
      shows: ['Put Aside'],
    },
    {
      path: '/reconciliation?tab=lines',
      calls: /\/api\/bank\/lines/,
      says: [failed('Bank lines')],
      shows: [firstPage],
    },
    {
      path: '/reconciliation?tab=statements',
      calls: /\/api\/bank\/statements/,
      says: [failed('Bank statements')],
      shows: [firstPage],
    },
    {
      path: '/reconciliation?tab=imports',
      calls: /\/api\/bank\/imports/,
      says: [failed('Imported files')],
      shows: [firstPage],
    },
    { path: '/tokens', says: ['Earning Tokens could not be loaded'], shows: ['Alentejo Solar Park'] },
    {
      path: '/transactions',
      says: [figures, failed('The chain’s health'), failed('Transactions')],
      shows: ['Total Transactions', 'Chain off', firstPage],
    },
    { path: '/transactions?tab=platform', says: [failed('Platform transactions')], shows: [firstPage] },
    { path: '/transactions?tab=treasury', says: ['The treasury could not be loaded'], shows: ['The chain is off'] },
    ...Object.entries({
      submissions: 'KYC submissions',
      verifications: 'Verifications',
      step2: 'Step 2 history',
      step3: 'Step 3 history',
      step4: 'Step 4 history',
    }).map(([tab, list]) => ({
      path: `/kyc?tab=${tab}`,
      says: [figures, failed(list)],
      shows: ['Total KYC Submissions', firstPage],
    })),
    {
      path: `/kyc?review=${verification}`,
      calls: /\/links/,
      says: ['Could not be loaded: The database is away'],
      shows: ['No phone number, name, account, wallet or picture.'],
    },
  ],
  'messages and the console itself': () => [
    {
      path: '/kyc-webhooks',
      says: [figures, 'The log could not be loaded', 'The failures could not be loaded'],
      presses: 2,
      shows: ['Total Attempts', 'The newest 10 of', 'Retry'],
    },
    {
      path: '/kyc-webhooks?tab=deliveries',
      says: [failed('The state of the endpoint'), failed('Delivery log')],
      shows: [firstPage],
    },
    {
      path: '/kyc-webhooks?tab=endpoints',
      says: ['The endpoints could not be loaded'],
      shows: ['PLATFORM_WEBHOOK_URL'],
    },
    {
      path: '/security',
      says: [figures, failed('The protection of the audit log'), failed('Security events')],
      shows: ['Total Events', 'Audit log', firstPage],
    },
    { path: '/security?tab=actions', calls: /\/api\/admin\/logs/, says: [failed('Admin actions')], shows: [firstPage] },
    { path: '/operators', says: ['The operators could not be loaded'], shows: ['You'] },
    { path: '/approvals', says: [failed('Requests for approval')], shows: ['Showing '] },
    { path: '/approvals?tab=rules', says: ['The rules could not be loaded'], shows: ['Mark an order paid by hand'] },
    { path: '/approvals/987654', says: ['This request could not be loaded'], shows: ['Request Not Found'] },
    { path: '/bulk', says: [failed('Bulk jobs')], shows: ['Showing '] },
    { path: '/bulk/987654', says: ['This bulk job could not be loaded'], shows: ['Bulk Job Not Found'] },
    {
      path: '/account',
      says: ['second factors', 'alerts', 'sessions'].map((part) => `The ${part} could not be loaded`),
      shows: ['No passkeys yet', 'Choose Alerts', 'This session'],
    },
  ],
}

async function expectRetried(page: Page, { path, calls = ofScreens, says, presses = says.length, shows }: Screen) {
  let isAway = true
  await page.route(calls, (route) =>
    isAway
      ? route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_unavailable' } })
      : route.fallback(),
  )
  await page.goto(path)
  const main = page.getByRole('main')
  const retry = main.getByRole('button', { name: 'Try Again' })
  for (const text of says) await expect(main.getByRole('alert').filter({ hasText: text })).toBeVisible()
  await expect(retry).toHaveCount(says.length)
  isAway = false
  for (let press = 1; press <= presses; press += 1) {
    await expect(retry).not.toHaveCount(0)
    const left = await retry.count()
    await retry.first().click()
    await expect.poll(() => retry.count()).toBeLessThan(left)
    await expect(page.locator('body')).not.toBeFocused()
  }
  await expect(main.getByRole('alert')).toHaveCount(0)
  for (const text of shows) await expect(main).toContainText(text)
  await page.unroute(calls)
}

for (const [name, list] of Object.entries(groups))
  test(`what could not be loaded says so and is tried again, each part alone: ${name}`, async ({ page, server }) => {
    const owner = await importCase(server)
    const { id: order } = await importOrder(server, owner)
    // Nothing comes by itself: neither with news nor with a poll.
    await page.route('**/api/live', (route) => route.abort())
    await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }))
    for (const screen of list({ member: owner.id, name: owner.name, order, verification: owner.verification }))
      await test.step(screen.path, () => expectRetried(page, screen))
  })
