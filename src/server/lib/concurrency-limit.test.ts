import { expect, test } from 'vitest'
import { createLimiter } from './concurrency-limit.ts'

/** Work that ends when told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

test('tasks beyond the limit wait in order, and beyond the queue are refused', async () => {
  const enter = createLimiter(2, 2, 'Too many at once')
  const works = Array.from({ length: 4 }, work)
  const started: number[] = []
  const runs = works.map(({ run }, at) =>
    enter(() => {
      started.push(at)
      return run()
    }),
  )
  await expect(enter(async () => 'no')).rejects.toMatchObject({
    code: 'overloaded',
    status: 503,
    retryAfter: 2,
    message: 'Too many at once',
  })
  expect(started).toEqual([0, 1])
  works[1]?.end()
  await runs[1]
  expect(started).toEqual([0, 1, 2])
  for (const { end } of works) end()
  await Promise.all(runs)
  expect(started).toEqual([0, 1, 2, 3])
  expect(await enter(async () => 'yes')).toBe('yes')
})

test('work that fails gives its place back', async () => {
  const enter = createLimiter(1, 0, 'Too many at once')
  await expect(enter(() => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  expect(await enter(async () => 'next')).toBe('next')
})
