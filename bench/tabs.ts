import { chromium, type BrowserContext, type Page } from '@playwright/test'

/** `node bench/tabs.ts <address> <username> <password>`: how long a call of the last of eight tabs takes, compared with one tab. */
const [address = 'http://127.0.0.1:3000', username = 'admin', password = ''] = process.argv.slice(2)
const calls = 200

async function openTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/users')
  await tab.getByRole('banner').getByText('Live', { exact: true }).waitFor()
  return tab
}

/** The 95th percentile of sequential calls of one tab, in milliseconds. Throws if one gets no answer. */
const measure = (tab: Page): Promise<number> =>
  tab.evaluate(async (count) => {
    const times: number[] = []
    for (let at = 0; at < count; at += 1) {
      const start = performance.now()
      const reply = await fetch('/api/users/?limit=50&page=1', { signal: AbortSignal.timeout(20_000) })
      await reply.text()
      if (!reply.ok) throw new Error(`answered ${reply.status}`)
      times.push(performance.now() - start)
    }
    return times.toSorted((a, b) => a - b)[Math.floor(count * 0.95)] ?? 0
  }, calls)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext({ baseURL: address })
await context.request.post('/api/auth/login', { data: { username, password } })
let last = await openTab(context)
const alone = await measure(last)
for (let opened = 1; opened < 8; opened += 1) last = await openTab(context)
const amongEight = await measure(last)
await browser.close()
console.log(`p95 of ${calls} calls: one tab ${alone.toFixed(1)} ms, the last of eight ${amongEight.toFixed(1)} ms`)
console.log(`ratio × ${(amongEight / alone).toFixed(2)}`)
