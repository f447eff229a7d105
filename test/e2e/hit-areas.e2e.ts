import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'

/** Whether a press at each end of 24 px around the control's middle hits it. A row's link is hit wherever its row has no other control. */
const measureHits = (control: Locator) =>
  control.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const row = element.hasAttribute('data-row-link') ? element.closest('tr') : null
    const isHit = (toX: number, toY: number) => {
      const hit = document.elementFromPoint(x + toX, y + toY)
      return element.contains(hit) || (row?.contains(hit) === true && !hit?.closest('a, button, input'))
    }
    // Points are rounded to whole pixels, and the edge belongs to the neighbour.
    const reach = 11.4
    return { up: isHit(0, -reach), down: isHit(0, reach), left: isHit(-reach, 0), right: isHit(reach, 0) }
  })
const whole = { up: true, down: true, left: true, right: true }

const rowLink = (page: Page) => page.getByRole('main').getByRole('row').nth(1).getByRole('link').first()
const controls: Record<string, { path: string; find: (page: Page) => Locator }> = {
  'the other tokens of a volume': {
    path: '/transactions',
    find: (page) => page.getByRole('button', { name: /^and \d+ other token/ }),
  },
  'the details of an attempt': {
    path: '/kyc-webhooks',
    find: (page) => page.getByRole('button', { name: /^Details of / }).first(),
  },
  'the details of a failed attempt': {
    path: '/kyc-webhooks?status=failed',
    find: (page) => page.getByRole('button', { name: /^Details of / }).first(),
  },
  'the member of an attempt': { path: '/kyc-webhooks', find: rowLink },
  'the messages of an endpoint': {
    path: '/kyc-webhooks?tab=endpoints',
    find: (page) => page.getByRole('link', { name: /waiting for / }).first(),
  },
  'the type of a message': {
    path: '/kyc-webhooks?tab=deliveries',
    find: (page) => page.getByRole('button', { name: /^Details of / }).first(),
  },
  'the name of a member': { path: '/users', find: rowLink },
  'the number of an order': { path: '/orders', find: rowLink },
}

test('a press hits at least 24 px of the small controls of lists', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  for (const [name, { path, find }] of Object.entries(controls))
    await test.step(name, async () => {
      await page.goto(path)
      const control = find(page)
      await expect(control).toBeVisible()
      await expect.poll(() => measureHits(control)).toEqual(whole)
    })
})

test('a press hits at least 24 px of the counts of a profile', async ({ page, server }) => {
  const [member] = await server.sql<{ id: string }>(
    'SELECT member_id::text AS id FROM platform_transactions ORDER BY id LIMIT 1',
  )
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`/users/${member!.id}`)
  const count = page.getByRole('main').getByRole('link', { name: /^\d+ platform transactions?$/ })
  await count.scrollIntoViewIfNeeded()
  await expect.poll(() => measureHits(count)).toEqual(whole)
})
