import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'

// One seed for the run, so that a failure can be repeated.
const seed = Number(process.env.TEST_SEED)
if (seed > 0) fc.configureGlobal({ seed })

/** What a file may replace while it runs, and what the next one of its worker must find. */
const readGlobals = () => ({ now: Date.now, setTimeout, fetch, execPath: process.execPath })
const globals = readGlobals()

// As patient as `expect.poll`: their second passes on a busy machine.
if (typeof document !== 'undefined') (await import('@testing-library/dom')).configure({ asyncUtilTimeout: 30_000 })

// A test that writes to console.error or leaves a rejection unhandled fails.
beforeEach(() => {
  vi.spyOn(console, 'error')
})
afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, 'console.error was called').toEqual([])
  vi.mocked(console.error).mockRestore()
})

// Files of one worker share its globals: what one replaced must not meet the next.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.resetConfig()
  expect(readGlobals()).toEqual(globals)
})
