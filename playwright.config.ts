import { createHash } from 'node:crypto'
import { defineConfig } from '@playwright/test'
import { setRunClock } from './test/support/run-clock.ts'

setRunClock()

const list = (...names: string[]) => names.map((name) => `${name}.e2e.ts`)

/** How a screen looks: nothing is cut, covered or too small. */
const look = list(
  'bidi',
  'forced-colours',
  'hit-areas',
  'large-text',
  'large-text-columns',
  'layout',
  'low-window',
  'popovers',
  'print',
  'bank-layout',
  'widths',
)
/** Long stories over several processes, or of everything a page can show. */
const stories = list(
  'alarms',
  'alerts',
  'api-docs',
  'audit-verification',
  'chain',
  'first-day',
  'hostile-texts',
  'platform',
  'bank-events',
  'bank-keys',
  'day-keys',
  'single-sign-on',
  'tabs',
  'two-operators',
)
/** What operators look at and search, apart from what they decide. */
const views = list(
  'activity',
  'cards',
  'dashboard-figures',
  'day-filters',
  'messages',
  'endpoints',
  'exports',
  'framed',
  'kyc-links',
  'kyc-webhooks',
  'lazy-controls',
  'list-columns',
  'list-sorts',
  'platform-transactions',
  'bank-ageing',
  'refresh-failures',
  'resolved-events',
  'saved-views',
  'search-as-you-type',
  'search-commands',
  'search-hits',
  'theme',
  'toasts',
  'treasury',
  'member-detail',
  'member-orders',
)
/** The main rules of every screen: the browser's part of `npm test`. */
const rules = list(
  'bulk',
  'dashboard',
  'empty-platform',
  'error-catalogue',
  'failed-loads',
  'kyc',
  'kyc-decisions',
  'kyc-review-keys',
  'login',
  'notices',
  'orders',
  'peek',
  'bank',
  'row-cursor',
  'search',
  'security',
  'session',
  'session-ending',
  'shell',
  'tokens',
  'transactions',
  'member-ban',
  'member-kyc',
  'members',
)

/** Where `verify:steady` asks for another order, each file is a project, since projects run in the order in which they stand here. */
function orderRules(seed: string | undefined) {
  if (!seed) return [{ name: 'rules', testMatch: rules }]
  const rank = (file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return rules
    .toSorted((a, b) => rank(a).localeCompare(rank(b)))
    .map((file) => ({ name: `rules ${file}`, testMatch: file }))
}

// Each file belongs to one project (CONTRIBUTING.md): a run of `rules` is part of `npm test`, the others are commands of their own.
export default defineConfig({
  testDir: './test/e2e',
  projects: [
    ...orderRules(process.env.TEST_ORDER_SEED),
    { name: 'screens', testMatch: '*.e2e.ts', testIgnore: [...rules, ...views, ...look, ...stories] },
    { name: 'views', testMatch: views },
    { name: 'look', testMatch: look },
    { name: 'stories', testMatch: stories, workers: 1 },
  ],
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: './test-results',
  // A test mostly waits for its page: three keep two processors busy. Each file has a console of its own, so files are handed out whole.
  workers: 3,
  fullyParallel: false,
  // Limits against hanging only: no test says anything by its speed.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
    // What fades or moves is at its end at once, so that no check meets it on its way.
    reducedMotion: 'reduce',
    // Recording every test to keep the failing one costs a third of the run; ask for it with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        // A page lives for seconds, so that compiling its code for speed takes a tenth of a run and wins nothing.
        '--in-process-gpu',
        '--js-flags=--max-lazy --no-turbofan --no-maglev',
      ],
    },
  },
})
