import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { databaseOptions, withFilledConsole } from './filled-console.ts'
import { percentile } from './measuring.ts'

/**
 * How long each step on a list takes from its key until what it brings is painted, in a real browser; and the longest task of the page
 * on a slower processor. Without clicks: what finds the place to click runs in the page as well. Ends with what misses its aim.
 */
const { values: options } = parseArgs({
  options: {
    ...databaseOptions,
    rounds: { type: 'string', default: '20' },
    /** Times slower. Tasks are measured then, times at 1. */
    slowdown: { type: 'string', default: '4' },
    /** Only lists whose name matches this regular expression. */
    only: { type: 'string', default: '' },
    /** How often J is pressed with Peek open. */
    peeks: { type: 'string', default: '20' },
  },
})
const aims = { step: 120, task: 100 }
const ofRows = ['sort', 'filter', 'next page']

/** What a step brings, read in the page. Undefined while it is on its way. */
const parts = {
  rows() {
    const table = document.querySelector('main table')
    if (!table || table.getAttribute('aria-busy') || table.textContent.includes('Loading...')) return undefined
    const ids = [...table.querySelectorAll<HTMLElement>('tr[data-row]')].map(({ dataset }) => dataset['row'])
    return [...ids, document.querySelector('main p[aria-live]')?.textContent].join(' ')
  },
  active: () => document.querySelector<HTMLElement>('tr[aria-current]')?.dataset['row'],
  selected: () => document.querySelectorAll('[data-select]:checked').length,
  /** The record of the active row, whole. */
  peek() {
    const panel = document.querySelector('[data-peek]')
    const name = panel?.querySelector('h2')?.textContent
    const isOfRow = name === document.querySelector('tr[aria-current] [data-row-link]')?.textContent
    return isOfRow && !panel?.querySelector('[aria-busy=true]') && panel?.querySelector('ol li') ? name : undefined
  },
}

/** In the page: milliseconds from the next key until this part has changed and is painted. */
async function watch(read: () => unknown): Promise<number> {
  const before = read()
  const pressed = await new Promise<number>((resolve) => {
    const note = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Shift') return
      removeEventListener('keydown', note, true)
      resolve(timeStamp)
    }
    addEventListener('keydown', note, true)
  })
  for (let now = read(); now === undefined || now === before; now = read()) {
    if (performance.now() - pressed > 30_000) throw new Error(`still ${String(now)}`)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve))
  return performance.now() - pressed
}

const noteTasks = () => {
  const tasks: number[] = []
  Object.assign(window, { tasks })
  new PerformanceObserver((seen) => tasks.push(...seen.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  })
}

interface MeasuredList {
  name: string
  path: string
  /** The screen from which it is opened, and by what. */
  from: [path: string, link: string]
  canSelect: boolean
  hasPeek: boolean
}
const lists: MeasuredList[] = [
  { name: 'members', path: '/users', from: ['/tokens', 'nav a[href="/users"]'], canSelect: true, hasPeek: true },
  { name: 'orders', path: '/orders', from: ['/tokens', 'nav a[href="/orders"]'], canSelect: true, hasPeek: true },
  {
    name: 'bank lines',
    path: '/reconciliation?tab=lines',
    from: ['/reconciliation?tab=imports', '[data-tab=lines]'],
    canSelect: false,
    hasPeek: false,
  },
  {
    name: 'chain transactions',
    path: '/transactions',
    from: ['/tokens', 'nav a[href="/transactions"]'],
    canSelect: false,
    hasPeek: false,
  },
]

interface Seen {
  times: number[]
  /** The longest of each time, or 0 if none took 50 ms. */
  tasks: number[]
}

/** One list in one browser, at one speed. */
class Screen {
  readonly seen: Record<string, Seen> = {}
  readonly page: Page
  readonly slowdown: number
  constructor(page: Page, slowdown: number) {
    this.page = page
    this.slowdown = slowdown
  }

  async #settle() {
    await this.page.waitForTimeout(150 * this.slowdown)
  }

  async #note(step: string, time?: number) {
    await this.#settle()
    const tasks = await this.page.evaluate('tasks.splice(0)')
    const { [step]: seen = { times: [], tasks: [] } } = this.seen
    this.seen[step] = seen
    if (time !== undefined) seen.times.push(time)
    seen.tasks.push(Math.max(0, ...(tasks as number[])))
  }

  /** Loads the page again, so that nothing is known yet. */
  async load(path: string) {
    await this.page.goto(path)
    await this.page.waitForFunction(() => document.querySelector('main tr[data-row]'))
    await this.#settle()
    await this.#note('load')
  }

  async press(key: string, step: string, part: keyof typeof parts) {
    // Methods of an object are functions only with their keyword.
    const read = String(parts[part]).replace(/^(?=\w+\(\) \{)/, 'function ')
    await this.page.evaluate(`void (window.watched = (${String(watch)})(${read}))`)
    await this.page.keyboard.press(key)
    await this.#note(step, await this.page.evaluate<number>('watched'))
  }

  /** Puts the focus on one of these, if it is there and can be pressed. */
  async focus(selector: string, words = '', at = 0): Promise<boolean> {
    const given = { selector, words, at }
    return this.page.evaluate((wanted) => {
      const all = [...document.querySelectorAll<HTMLElement>(wanted.selector)]
      const found = all.filter(({ textContent }) => textContent.includes(wanted.words))[wanted.at]
      found?.focus({ preventScroll: true })
      return found !== undefined && !found.matches(':disabled')
    }, given)
  }

  /** Chooses one of the filters by the keys of their menu. Those that open a form are left out. */
  async filter(round: number) {
    await this.page.keyboard.press('f')
    await this.page.waitForFunction(() => document.querySelector('[role=listbox][aria-label=Filters]'))
    const places = await this.page.evaluate(() =>
      [...document.querySelectorAll('[role=option]')].flatMap((option, at) =>
        option.textContent.includes('…') ? [] : [at],
      ),
    )
    for (let at = 0; at < places[round % places.length]!; at += 1) await this.page.keyboard.press('ArrowDown')
    await this.#settle()
    await this.page.evaluate('tasks.splice(0)')
    await this.press('Enter', 'filter', 'rows')
  }

  async work({ path, from: [place, link], canSelect, hasPeek }: MeasuredList, round: number) {
    await this.load(place)
    await this.focus(link)
    await this.press('Enter', 'open', 'rows')
    for (let at = 0; await this.focus('main th button', '', at); at += 1) await this.press('Enter', 'sort', 'rows')
    for (let at = 0; at < 3 && (await this.focus('main button', 'Next')); at += 1)
      await this.press('Enter', 'next page', 'rows')
    await this.load(path)
    await this.filter(round)
    await this.load(path)
    for (const key of ['j', 'j', 'k']) await this.press(key, 'J, K', 'active')
    if (canSelect) {
      await this.press('x', 'X', 'selected')
      for (let at = 0; at < 3; at += 1) await this.press('Shift+J', 'Shift+J', 'selected')
    }
    if (!hasPeek) return
    await this.press('Space', 'Peek', 'peek')
    for (let at = 0; at < Number(options.peeks); at += 1) await this.press('j', 'J with Peek', 'peek')
  }
}

const missed: string[] = []
await withFilledConsole(options, async ({ openPage }) => {
  const measureAt = async (list: MeasuredList, slowdown: number, rounds: number) => {
    const page = await openPage()
    await page.addInitScript(noteTasks)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const screen = new Screen(page, slowdown)
    // The first round warms the server.
    await screen.work(list, 0)
    for (const step of Object.keys(screen.seen)) delete screen.seen[step]
    for (let round = 0; round < rounds; round += 1) await screen.work(list, round)
    await page.context().close()
    return screen.seen
  }
  const slowdown = Number(options.slowdown)
  const rounds = Number(options.rounds)
  const head = ['times', 'p50 ms', 'p95 ms', 'most ms', `task at ${slowdown}×, p50`, 'longest']
  const cells = (each: (string | number)[]) => each.map((cell) => String(cell).padStart(12)).join('')
  console.log(`${''.padEnd(32)}${cells(head)}`)
  for (const list of lists.filter(({ name }) => new RegExp(options.only).test(name))) {
    const quick = await measureAt(list, 1, rounds)
    const slow = await measureAt(list, slowdown, Math.ceil(rounds / 4))
    for (const [step, { times }] of Object.entries(quick)) {
      const { tasks } = slow[step]!
      const p95 = percentile(times, 0.95)
      const longest = Math.max(...tasks)
      const figures = [percentile(times, 0.5), p95, Math.max(0, ...times), percentile(tasks, 0.5), longest]
      const name = `${list.name}, ${step}`
      console.log(`${name.padEnd(32)}${cells([times.length, ...figures.map((each) => each.toFixed(0))])}`)
      if (ofRows.includes(step) && p95 > aims.step) missed.push(`${name}: ${p95.toFixed(0)} ms, aim ${aims.step}`)
      if (longest > aims.task) missed.push(`${name}: a task of ${longest.toFixed(0)} ms, aim ${aims.task}`)
    }
  }
})
console.log(missed.length > 0 ? ['', 'Missed:', ...missed].join('\n') : '\nAll reach their aim.')
