import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: './test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: './test-results',
  // A test mostly waits for its page: three keep two processors busy.
  workers: 3,
  fullyParallel: true,
  // On a machine with other work a page can be too late; such a test is named as flaky, and one that fails twice fails.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
    // Recording every test to keep the failing one costs a third of the run; ask for it with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    },
  },
})
