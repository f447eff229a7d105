import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectLive, test } from './support/harness.ts'
import { importMember } from './support/members.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function openTabs(context: BrowserContext, count: number, path: string) {
  const tabs = await Promise.all(Array.from({ length: count }, () => context.newPage()))
  await Promise.all(
    tabs.map(async (tab) => {
      await tab.goto(path)
      await expectLive(tab)
    }),
  )
  return tabs
}

/** Which of these tabs holds the event stream. */
async function findLeader(tabs: Page[]) {
  const held = await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async () => {
        const { held: locks = [] } = await navigator.locks.query()
        const frame = await navigator.locks.request(crypto.randomUUID(), async (own) => {
          const { held: now = [] } = await navigator.locks.query()
          return now.find(({ name }) => name === own?.name)?.clientId
        })
        return locks.some(({ name, clientId }) => name === 'back-office live' && clientId === frame)
      }),
    ),
  )
  return tabs[held.indexOf(true)]
}

test('eight tabs of one browser share one event stream and each shows the news', async ({ context, server }) => {
  const streams: string[] = []
  context.on('request', (request) => request.url().endsWith('/api/live') && streams.push(request.url()))
  const tabs = await openTabs(context, 8, '/users')
  expect(streams).toHaveLength(1)
  const member = await importMember(server)
  for (const tab of tabs) await expect(tab.getByText(member.email).first()).toBeVisible()
  await tabs[7]!.getByRole('button', { name: 'Refresh' }).click()
  await expect(tabs[7]!.getByText('User data is up to date.').first()).toBeVisible()
})

/** Stops a page in the middle of its work, as a browser does with a frozen or busy one. */
async function freeze(tab: Page) {
  const session = await tab.context().newCDPSession(tab)
  await session.send('Debugger.enable')
  await session.send('Debugger.pause')
  void tab.evaluate(() => 1).catch(() => {})
  return () => session.send('Debugger.disable')
}
/** The browser's own announcement: it can only freeze a page out of sight, which a page under test never is. */
const announce = (tab: Page, event: 'freeze' | 'resume') =>
  tab.evaluate((type) => void document.dispatchEvent(new Event(type)), event)

const ends: [string, (tab: Page) => Promise<unknown>][] = [
  ['is closed', (tab) => tab.close()],
  [
    'crashes',
    async (tab) => {
      const crashed = tab.waitForEvent('crash')
      await tab.goto('chrome://crash').catch(() => {})
      await crashed
    },
  ],
  [
    'is frozen',
    async (tab) => {
      await announce(tab, 'freeze')
      await freeze(tab)
    },
  ],
  ['hangs', freeze],
]
for (const [how, end] of ends)
  test(`another tab takes the stream over when the one that holds it ${how}`, async ({ context, server }) => {
    const tabs = await openTabs(context, 3, '/users')
    const leader = await findLeader(tabs)
    expect(leader).toBeDefined()
    await end(leader!)
    const others = tabs.filter((tab) => tab !== leader)
    await expect.poll(async () => (await findLeader(others)) !== undefined).toBe(true)
    const member = await importMember(server)
    for (const tab of others) {
      await expect(tab.getByText(member.email).first()).toBeVisible()
      await expectLive(tab)
    }
  })

test('a tab that was frozen shows what it missed', async ({ context, server }) => {
  const [tab] = await openTabs(context, 2, '/users')
  await announce(tab!, 'freeze')
  const wake = await freeze(tab!)
  const member = await importMember(server)
  await wake()
  await announce(tab!, 'resume')
  await expect(tab!.getByText(member.email).first()).toBeVisible()
})

test('without locks each tab in sight has a stream of its own', async ({ context, server }) => {
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  const tabs = await openTabs(context, 2, '/users')
  const member = await importMember(server)
  for (const tab of tabs) await expect(tab.getByText(member.email).first()).toBeVisible()
})

test.describe('signing in and out', () => {
  test.use({ isSignedIn: false })

  async function signIn(page: Page, username = 'ada') {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill('seven grey herons at noon')
    await page.getByRole('button', { name: 'Sign In' }).click()
  }

  test('a second tab follows a sign-in and a sign-out (product 2.2)', async ({ context }) => {
    const [first, second] = [await context.newPage(), await context.newPage()]
    await first.goto('/users')
    await second.goto('/login')
    await expect(second.getByLabel('Username')).toBeVisible()
    await signIn(first)
    await expect(heading(first)).toHaveText('User Management')
    await expect(heading(second)).toHaveText('Analytics Dashboard')
    await expect(second).toHaveURL(/\/$/)
    await second.goto('/tokens?tab=fractions')
    await expect(heading(second)).toHaveText('Token Management')
    await first.getByRole('button', { name: /Super Admin/ }).click()
    await first.getByRole('menuitem', { name: 'Sign Out' }).click()
    for (const tab of [first, second])
      await expect(tab.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
    await expect(first).toHaveURL(/\/login$/)
    await expect(second).toHaveURL(/\/tokens\?tab=fractions$/)
    await signIn(first)
    await expect(heading(first)).toHaveText('Analytics Dashboard')
    await expect(heading(second)).toHaveText('Token Management')
    await expect(second).toHaveURL(/\/tokens\?tab=fractions$/)
  })

  test('another admin who signs in in one tab is who every tab shows', async ({ context, server }) => {
    await server.sql(
      `INSERT INTO admins (username, password_hash, role) SELECT 'lin', password_hash, role FROM admins WHERE username = 'ada'
       ON CONFLICT DO NOTHING`,
    )
    const [first, second] = [await context.newPage(), await context.newPage()]
    await first.goto('/users')
    await signIn(first)
    await expect(heading(first)).toHaveText('User Management')
    await second.goto('/orders')
    await expect(heading(second)).toHaveText('Order Management')
    // The session of the first admin is gone in the server alone: nobody has said so to the tabs.
    const asked = second.waitForResponse((reply) => reply.url().includes('/api/orders'))
    await first.request.post('/api/auth/login', { data: { username: 'lin', password: 'seven grey herons at noon' } })
    await asked
    await expect(heading(second)).toHaveText('Order Management')
    await expectLive(second)
    await expectLive(first)
  })
})
