import { chromium, type Browser, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { givePassword, password, prepareOperators } from './demo-operators.ts'
import { screens } from './screens.ts'

/**
 * Takes a picture of every screen in both themes, from a fresh console with the demo platform, and writes the page that shows
 * them. `npm run screenshots -- [folder] [width]`. Without a folder it renews docs/screens.md and its pictures.
 */
const docs = join(import.meta.dirname, '../docs')
const [folder = join(docs, 'pictures'), width = '1440'] = process.argv.slice(2)
const themes = ['light', 'dark'] as const

async function startConsole() {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-pictures-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/server/main.ts')], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
      // Passkeys take a name, not an address.
      if (found) resolve(found.replace('127.0.0.1', 'localhost'))
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

async function signIn(page: Page, recoveryCode: string) {
  await givePassword(page)
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' }).waitFor()
}

const fileOf = (name: string, theme: string) => `${name}-${theme}${width === '1440' ? '' : `-${width}`}.webp`

async function takeAll(browser: Browser, url: string, theme: (typeof themes)[number], recoveryCode: string) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: Number(width), height: Number(width) < 768 ? 812 : 900 },
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
  })
  await context.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  let isSignedIn = false
  for (const { name, isPublic, show } of screens) {
    if (!isPublic && !isSignedIn) {
      await signIn(page, recoveryCode)
      isSignedIn = true
    }
    await show(page)
    const picture = await page.screenshot()
    await sharp(picture)
      .webp({ quality: 86 })
      .toFile(join(folder, fileOf(name, theme)))
  }
  await context.close()
}

const shown = ({ name, title }: (typeof screens)[number]) => `## ${title}

| Light | Dark |
|---|---|
| ${themes.map((theme) => `![${title}, ${theme}](pictures/${fileOf(name, theme)})`).join(' | ')} |
`

await mkdir(folder, { recursive: true })
const server = await startConsole()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const codes = await prepareOperators(server.url)
  for (const theme of themes) await takeAll(browser, server.url, theme, codes.pop()!)
} finally {
  await browser.close()
  await server.stop()
}
if (process.argv.length === 2)
  await writeFile(
    join(docs, 'screens.md'),
    `# Every screen\n\nTaken of the demo platform by \`npm run screenshots\`, which also writes this page.\n\n${screens.map(shown).join('\n')}`,
  )
