import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'

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
})
