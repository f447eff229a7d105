import { expect, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { importOrder } from './support/orders.ts'

test('the profile lists five orders, those waiting first and the soonest of them (product 5.4)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const past = { status: 'completed', paidAt: '2026-01-06T09:00:00Z', completedAt: '2026-01-07T09:00:00Z' }
  const late = await importOrder(server, member, { expiresAt: inHours(50) })
  const soon = await importOrder(server, member, { expiresAt: inHours(5) })
  const ended = []
  for (const day of [5, 4, 3, 2])
    ended.push(await importOrder(server, member, { ...past, createdAt: `2026-01-0${day}T09:00:00Z` }))
  await page.goto(`/users/${member.id}`)
  const orders = page.getByRole('tabpanel').getByRole('region', { name: 'Orders' })
  const numbers = [soon, late, ...ended.slice(0, 3)].map(({ number }) => number)
  await expect(orders.getByRole('row').getByRole('link')).toHaveText(numbers)
  await expect(page.getByText('6, 2 waiting for payment')).toBeVisible()
  await expect(orders.getByRole('row').nth(1)).toContainText(/Solar Park.*in 4 h/)
  await page.getByRole('link', { name: 'View all orders of this member' }).click()
  await expect(page).toHaveURL(`/orders?userId=${member.id}`)
  await expect(page.getByText('Showing 1 to 6 of 6 entries')).toBeVisible()
})

test('a member without orders is said to have none', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await expect(page.getByText('No orders yet. They appear as the platform sends them.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View all orders of this member' })).toHaveCount(0)
})
