import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'bench/**/*.test.ts',
      'src/**/*.test.ts',
      'solidity/*.test.ts',
      'test/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    globalSetup: './test/global-setup.ts',
    setupFiles: ['./test/setup.ts'],
    maxWorkers: 2,
    // The console's modules keep no state of their own, so a worker loads them once for all its files: a fifth less time.
    isolate: false,
    // On a machine with other work something can be too late; what passes the second time is marked, what fails twice fails.
    retry: 1,
    // A limit against hanging only: no test says anything by its speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
