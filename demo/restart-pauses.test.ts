import { expect, test } from 'vitest'
import { createRestartPauses } from './restart-pauses.ts'

test('the restart pause grows while it dies at once and resets after a minute', () => {
  const pauseAfter = createRestartPauses()
  expect([0, 200, 59_999].map(pauseAfter)).toEqual([500, 1000, 2000])
  expect(Array.from({ length: 40 }, () => pauseAfter(100)).at(-1)).toBe(30_000)
  expect([60_000, 100, 3_600_000].map(pauseAfter)).toEqual([500, 1000, 500])
})
