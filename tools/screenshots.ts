import { chromium, type Browser, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Takes the pictures of docs/pictures: a fresh console with the demo platform, every screen in both themes.
 * `npm run screenshots -- [folder] [width]`
 */
const [folder = join(import.meta.dirname, '../docs/pictures'), width = '1440'] = process.argv.slice(2)
const password = 'correct horse battery staple'

/** Lists that need no more than to be opened: picture, address, and a text that stands in the table once it is there. */
const lists = [
  ['orders', '/orders', /^(Waiting Payment|Paid|Completed|Expired|Cancelled)$/],
  ['tokens', '/tokens', /^(Active|Inactive)$/],
  ['transactions', '/transactions', /^(Completed|Pending|Failed)$/],
  ['security-events', '/security', /^(Critical|High|Medium|Low)$/],
  ['security-actions', '/security?tab=actions', /import|ban/i],
] as const

async function startConsole() {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-pictures-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/server/main.ts')], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the console ended with ${code}`)))
  })
  async function stop() {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url, stop }
}

async function signIn(page: Page) {
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' }).waitFor()
}

async function takeAll(browser: Browser, url: string, theme: 'light' | 'dark') {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: Number(width), height: Number(width) < 768 ? 812 : 900 },
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
  })
  await context.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme)
  const page = await context.newPage()
  const take = (name: string) =>
    page.screenshot({ path: join(folder, `${name}-${theme}${width === '1440' ? '' : `-${width}`}.png`) })
  page.setDefaultTimeout(15_000)

  await page.goto('/')
  await page.getByLabel('Username').waitFor()
  await take('login')
  await signIn(page)
  await page.getByRole('table', { name: /Registrations/ }).waitFor({ state: 'attached' })
  await take('dashboard')

  await page.goto('/users')
  await page.getByRole('button', { name: /^Ban/ }).first().waitFor()
  await take('users')
  await page.getByRole('button', { name: /^Ban/ }).first().click()
  await page.getByRole('dialog').waitFor()
  await take('users-ban-dialog')
  await page.keyboard.press('Escape')

  for (const [name, path, shown] of lists) {
    await page.goto(path)
    await page.getByRole('table').getByText(shown).first().waitFor()
    await take(name)
  }
  await page.goto('/orders')
  await page.getByRole('link', { name: /^View/ }).first().click()
  await page.getByText('Investment Order Details').waitFor()
  await take('order')

  await page.goto('/users?status=completed')
  const verified = page.getByRole('table').getByRole('row').filter({ hasText: 'Verified' })
  await verified.first().getByRole('link').first().click()
  await page.getByRole('tab', { name: 'KYC History' }).waitFor()
  for (const tab of await page.getByRole('tab').all()) {
    const name = ((await tab.textContent()) ?? '').replace(/\d+$/, '').trim().toLowerCase().replaceAll(' ', '-')
    await tab.click()
    await page.getByRole('tabpanel').waitFor()
    await take(`user-${name}`)
  }
  await context.close()
}

await mkdir(folder, { recursive: true })
const server = await startConsole()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  for (const theme of ['light', 'dark'] as const) await takeAll(browser, server.url, theme)
} finally {
  await browser.close()
  await server.stop()
}
