import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'

// Whatever writes to console.error, or rejects unhandled, fails the test that caused it.
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
})
