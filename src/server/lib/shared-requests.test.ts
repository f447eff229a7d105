import { expect, onTestFinished, test, vi } from 'vitest'
import { SharedRequests } from './shared-requests.ts'

const day = 86_400_000

test('an answer of a time when the clock was days ahead is repeated for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day)
  onTestFinished(() => {
    clock.mockRestore()
    vi.useRealTimers()
  })
  const requests = new SharedRequests<number>(1000, 'too many')
  let reads = 0
  const read = () => requests.get('wallet', async () => ++reads)
  await read()
  clock.mockRestore()
  vi.advanceTimersByTime(9000)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(2000)
  expect(await read()).toBe(2)
})
