import { createHash, randomBytes } from 'node:crypto'
import axe from 'axe-core'
import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test'
import { createDate, shiftMs } from '#test/support/run-clock.ts'
import { admin, startConsole, startLimit, type ConsoleServer } from './console-server.ts'

interface Fixtures {
  /** `demo` holds the demo platform, `empty` nothing at all. */
  data: 'demo' | 'empty'
  isSignedIn: boolean
  /** The console under test: one a file and kind of data, so a test finds what earlier tests of its file have left. */
  server: ConsoleServer
  /** Calls of a second operator, `joan`; the page is signed in as `grace`. */
  operator: APIRequestContext
}
interface WorkerFixtures {
  servers: (file: string, data: 'demo' | 'empty') => Promise<ConsoleServer>
  session: (server: ConsoleServer) => Promise<string>
}

/** Inserts a session of its own for each test, as sign-in does, so that tests share no limits. */
async function createSession(server: ConsoleServer, username: string) {
  const token = randomBytes(32).toString('base64url')
  await server.sql(
    `INSERT INTO admins (username, password_hash, role) SELECT $1, password_hash, role FROM admins WHERE username = $2 ON CONFLICT DO NOTHING`,
    [username, admin.username],
  )
  await server.sql(
    // A run takes longer than a sign-in counts as recent.
    `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent, authenticated_at)
     SELECT $1, id, '127.0.0.1', 'tests', now() + interval '1 day' FROM admins WHERE username = $2`,
    [createHash('sha256').update(token).digest(), username],
  )
  return token
}

/** Collects errors of a page. The browser's own line about a refused call is not one. */
function collectFaults(page: Page, faults: string[]) {
  page.on('pageerror', (error) => faults.push(`unhandled: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  data: ['demo', { option: true }],
  isSignedIn: [true, { option: true }],

  browser: [
    async ({ browser }, use) => {
      const openContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await openContext(options)
        await context.addInitScript(`globalThis.Date = (${String(createDate)})(Date, ${shiftMs})`)
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],

  servers: [
    async ({}, use) => {
      const started = new Map<string, Promise<ConsoleServer>>()
      const stops: Promise<void>[] = []
      let current = ''
      function stopAll() {
        for (const server of started.values()) stops.push(server.then(({ stop }) => stop()).catch(() => {}))
        started.clear()
      }
      await use((file, data) => {
        if (file !== current) stopAll()
        current = file
        if (!started.has(data)) started.set(data, startConsole(`template_${data}`))
        return started.get(data)!
      })
      stopAll()
      await Promise.all(stops)
    },
    { scope: 'worker', ...startLimit },
  ],
  session: [
    async ({}, use) => {
      const tokens = new Map<ConsoleServer, Promise<string>>()
      await use((server) => {
        if (!tokens.has(server)) tokens.set(server, createSession(server, 'grace'))
        return tokens.get(server)!
      })
    },
    { scope: 'worker' },
  ],

  server: async ({ servers, data }, use, { file }) => {
    const server = await servers(file, data)
    await use(server)
    server.requireRunning()
  },
  baseURL: async ({ server }, use) => use(server.url),
  context: async ({ context, server, session, isSignedIn }, use) => {
    const { hostname } = new URL(server.url)
    if (isSignedIn)
      await context.addCookies([
        { name: 'sid', value: await session(server), domain: hostname, path: '/', httpOnly: true, sameSite: 'Strict' },
      ])
    await use(context)
  },
  page: async ({ page }, use) => {
    const faults: string[] = []
    collectFaults(page, faults)
    await use(page)
    expect(faults, 'console errors, unhandled rejections and policy violations').toEqual([])
  },
  operator: async ({ playwright, server }, use) => {
    const token = await createSession(server, 'joan')
    const operator = await playwright.request.newContext({
      baseURL: server.url,
      extraHTTPHeaders: { cookie: `sid=${token}` },
    })
    await use(operator)
    await operator.dispose()
  },
})

export { expect }
export { admin } from './console-server.ts'

/** Sets the theme as if the browser had chosen it before. */
export async function setTheme(page: Page, theme: 'light' | 'dark') {
  await page.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme)
}

/** The rules of axe whose outcome depends on colours. The themes differ in nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Shows the other theme as if the operator had chosen it in another tab. Pages without the console's program have a theme too. */
const showOtherTheme = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement
    const other = root.dataset.theme === 'dark' ? 'light' : 'dark'
    const chosen = localStorage.getItem('ui-theme')
    localStorage.setItem('ui-theme', other)
    window.dispatchEvent(new StorageEvent('storage', { key: 'ui-theme' }))
    root.dataset.theme = other
    // What a later page of the test shows is not changed.
    if (chosen === null) localStorage.removeItem('ui-theme')
    else localStorage.setItem('ui-theme', chosen)
    return other
  })

/** Runs axe within the page, which has its program already. */
const listViolations = (page: Page, rules?: string[]) =>
  page.evaluate(async (runOnly) => {
    // A colour in the middle of a fade is not one that anybody has to read. What follows a scroll bar never ends.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline)
    await Promise.allSettled(timed.map(({ finished }) => finished))
    const { axe: engine } = window as unknown as { axe: typeof axe }
    // Of the result only violations are used; gathering the rest for each cell of a long table takes long.
    const { violations } = await engine.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
  }, rules)

/** axe, default rules with best practices, and those of colours in the other theme too: nothing may be found. */
export async function expectAccessible(page: Page) {
  // Old data are dimmed until the new ones are there.
  await expect(page.locator('.opacity-55, .opacity-60')).toHaveCount(0)
  await page.evaluate(axe.source)
  expect(await listViolations(page)).toEqual([])
  const other = await showOtherTheme(page)
  expect(await listViolations(page, colourRules), `in the ${other} theme`).toEqual([])
  await showOtherTheme(page)
}

/** Whether the page hears of changes: "Live", or since when it does not. */
export const liveStatus = (page: Page) => page.getByRole('banner').getByRole('status')

/** Waits until the page's event stream stands. A change before it would not be shown. */
export const expectLive = (page: Page) => expect(page.getByText('Live', { exact: true })).toBeVisible()

/** What was copied last. Poll it: the browser answers after the press. */
export const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** A toast with this title. One is visible at a time (product 9.7). */
export async function expectToast(page: Page, title: string, text?: string | RegExp) {
  const toast = page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('listitem')
    .filter({ hasText: title })
  await expect(toast).toBeVisible()
  if (text) await expect(toast).toContainText(text)
}
