import { expect, onTestFinished, test, vi } from 'vitest'
import { SharedRequests } from './shared-requests.ts'

const day = 86_400_000

test('a read that outlasts its deadline is refused, as is one that had no turn by then', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const requests = new SharedRequests<number>(1000, 'too many')
  const begun: string[] = []
  const reads = ['a', 'b', 'c', 'd', 'no turn'].map((about) =>
    requests.get(about, (leftMs) => {
      begun.push(`${about}, ${leftMs} ms left`)
      return new Promise(() => {})
    }),
  )
  const results = Promise.allSettled(reads)
  await vi.advanceTimersByTimeAsync(999)
  await expect(Promise.race([...reads, Promise.resolve('waits')])).resolves.toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect((await results).map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
    Array(5).fill('chain_timeout'),
  )
  expect(begun).toEqual(['a', 'b', 'c', 'd'].map((about) => `${about}, 1000 ms left`))
})

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
