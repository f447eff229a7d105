import type { Request } from '@playwright/test'
import { liveLists } from '#contract/live.ts'
import { expect, test } from './support/harness.ts'
import { listScreens, openScreen } from './support/screens.ts'

test('a screen that nobody uses keeps no session open, whatever changes (product 2.2)', async ({ page, server }) => {
  const [[member], [order]] = [
    await server.sql('SELECT id FROM members ORDER BY id LIMIT 1'),
    await server.sql('SELECT id FROM orders ORDER BY id LIMIT 1'),
  ]
  const waiting = new Set<Request>()
  const asked: { path: string; isPassive: boolean }[] = []
  page.on('request', (request) => {
    const { pathname: path } = new URL(request.url())
    if (!path.startsWith('/api/') || path === '/api/live') return
    waiting.add(request)
    asked.push({ path, isPassive: request.headers()['x-passive'] === '1' })
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  await page.clock.install()
  for (const path of [...Object.values(listScreens), `/users/${member!.id}`, `/orders/${order!.id}`]) {
    await openScreen(page, path)
    // The console lets go of what it has not shown for five minutes.
    await page.clock.fastForward('06:00')
    asked.length = 0
    // After six silent minutes the stream of changes may be opening again, and misses what happens meanwhile.
    await expect
      .poll(async () => {
        await server.sql('SELECT pg_notify($1, $2)', ['changes', liveLists.join(',')])
        return asked.length
      }, path)
      .toBeGreaterThan(0)
    await expect.poll(() => waiting.size, path).toBe(0)
    expect(
      asked.filter(({ isPassive }) => !isPassive),
      path,
    ).toEqual([])
  }
})
