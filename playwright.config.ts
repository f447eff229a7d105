import { defineConfig } from '@playwright/test'

/** What starts processes of its own, or changes what a whole console knows of its sessions: one file after another, on one worker. */
const stories = [
  'alarms',
  'alerts',
  'audit-verification',
  'chain',
  'factors',
  'first-day',
  'platform',
  'reconciliation-events',
  'second-step',
  'single-sign-on',
  'tabs',
  'two-operators',
].map((name) => `${name}.e2e.ts`)

export default defineConfig({
  testDir: './test/e2e',
  // The stories take longest for one worker, so they begin first.
  projects: [
    { name: 'stories', testMatch: stories, fullyParallel: false, workers: 1 },
    { name: 'screens', testMatch: '*.e2e.ts', testIgnore: stories },
  ],
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: './test-results',
  // A test mostly waits for its page: three keep two processors busy.
  workers: 3,
  fullyParallel: true,
  // On a machine with other work a page can be too late; such a test is named as flaky, and one that fails twice fails.
  retries: 1,
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
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    },
  },
})
