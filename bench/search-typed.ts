import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { databaseOptions, type FilledConsole, withFilledConsole } from './filled-console.ts'
import { percentile, type Server } from './measuring.ts'

/**
 * The time from the last key of a search to its rows on the screen, in a real browser, for one operator and for several at
 * once, compared with the plain request of the same text.
 */
const { values: options } = parseArgs({
  options: {
    ...databaseOptions,
    operators: { type: 'string', default: '1,4' },
    /** How often each text is typed. */
    rounds: { type: 'string', default: '3' },
    /** Milliseconds between two keys. */
    pace: { type: 'string', default: '90' },
  },
})
const members = Number(options.members)
const rounds = Number(options.rounds)
const texts = [
  'johnson',
  'kowalski',
  'lukasz kow',
  'silva maria',
  'garcia, jose',
  `ana.${members - 7}`,
  'tanaka',
  'fatima o',
]

interface SearchField {
  name: string
  path: string
  request: (text: string) => string
  open: (page: Page) => Promise<void>
}
const searchFields: SearchField[] = [
  {
    name: 'members list',
    path: '/users',
    request: (text) => `/api/users?limit=50&page=1&search=${encodeURIComponent(text)}`,
    open: (page) => page.getByRole('searchbox', { name: 'Search by name or email' }).focus(),
  },
  {
    name: 'palette',
    path: '/users',
    request: (text) => `/api/search?q=${encodeURIComponent(text)}`,
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox', { name: 'Search results' }).waitFor()
    },
  },
]

/** Records in the page when the last key was pressed, and when the page was last painted after a change. */
function watch() {
  const seen = { key: 0, paint: 0 }
  Object.assign(window, { seen })
  addEventListener('keydown', ({ timeStamp }) => (seen.key = timeStamp), true)
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => (seen.paint = performance.now())))).observe(
    document,
    { childList: true, subtree: true, characterData: true },
  )
}

/** Milliseconds from the last key to its rows, also if they are the same as before. */
async function readTime(): Promise<number> {
  const { seen } = window as unknown as { seen: { key: number; paint: number } }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const answers = performance.getEntriesByType('resource').filter(({ name }) => !name.includes('total='))
  const answer = answers.findLast(({ name }) => /[?&](search|q)=/.test(name)) as PerformanceResourceTiming | undefined
  return Math.max(seen.paint, answer?.responseEnd ?? 0) - seen.key
}

async function typeAll({ openPage }: FilledConsole, place: SearchField): Promise<number[]> {
  const page = await openPage()
  await page.addInitScript(watch)
  const times: number[] = []
  // The first round loads what the first use of the palette needs.
  for (let round = -1; round < rounds; round++) {
    // A fresh page has no rows of the previous round.
    await page.goto(place.path)
    await page.getByRole('row').nth(20).waitFor()
    for (const text of texts) {
      await place.open(page)
      const path = place.request(text)
      const answered = page.waitForResponse((response) => {
        const { pathname, searchParams } = new URL(response.url())
        const wanted = new URL(path, response.url())
        const isSame = [...wanted.searchParams].every(([key, given]) => searchParams.get(key) === given)
        return pathname.replace(/\/$/, '') === wanted.pathname && isSame && !searchParams.has('total')
      })
      await page.keyboard.type(text, { delay: Number(options.pace) })
      await (await answered).finished()
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
      const took = await page.evaluate(readTime)
      if (round >= 0) times.push(took)
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Escape')
    }
  }
  await page.context().close()
  return times
}

async function askAll({ port, cookie }: Server, place: SearchField, operators: number): Promise<number[]> {
  const times: number[] = []
  const askInTurn = async () => {
    for (let round = 0; round < rounds; round++)
      for (const text of texts) {
        const start = performance.now()
        const reply = await fetch(`http://127.0.0.1:${port}${place.request(text)}`, { headers: { cookie } })
        await reply.arrayBuffer()
        times.push(performance.now() - start)
      }
  }
  await Promise.all(Array.from({ length: operators }, askInTurn))
  return times
}

await withFilledConsole(options, async (started) => {
  console.log(`${''.padEnd(36)}  key to rows p50 / p95 ms    bare request p50 / p95 ms`)
  for (const place of searchFields)
    for (const operators of options.operators.split(',').map(Number)) {
      const bare = await askAll(started.server, place, operators)
      const typing = await Promise.all(Array.from({ length: operators }, () => typeAll(started, place)))
      const cells = [typing.flat(), bare].map((times) =>
        [0.5, 0.95].map((share) => percentile(times, share).toFixed(0)).join(' / '),
      )
      console.log(
        `${`${place.name}, ${operators} typing`.padEnd(36)}${cells.map((cell) => cell.padStart(26)).join('')}`,
      )
    }
})
