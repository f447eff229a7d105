import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { importOrder } from './support/orders.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Orders' }).getByRole('table')
const head = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true })
const shown = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** Three orders of one member: their numbers by amount, from the smallest. They expire in the opposite order. */
async function addOrders(server: Parameters<typeof importMember>[0]) {
  const member = await importMember(server)
  const numbers: string[] = []
  for (const n of [0, 1, 2])
    numbers.push(
      (
        await importOrder(server, member, {
          investmentAmount: ['900.00', '1000.00', '20000.00'][n]!,
          createdAt: `2026-01-0${[2, 1, 3][n]}T09:00:00Z`,
          expiresAt: `209${9 - n}-01-01T00:00:00Z`,
        })
      ).number,
    )
  return { member, numbers: numbers as [string, string, string] }
}

test('a column head sorts, says so, and goes back to the list’s own order', async ({ page, server }) => {
  const { member, numbers } = await addOrders(server)
  const [small, middle, large] = numbers
  await page.goto(`/orders?search=${member.email}&page=7`)
  await expect(shown(page)).toContainText([large, small, middle])
  await expect(head(page, 'Created')).toHaveAttribute('aria-sort', 'descending')

  const amount = head(page, 'Investment')
  await expect(amount).not.toHaveAttribute('aria-sort')
  await amount.getByRole('button').click()
  await expect(page).toHaveURL(`/orders?search=${encodeURIComponent(member.email)}&sort=largest`)
  await expect(shown(page)).toContainText([large, middle, small])
  await expect(amount).toHaveAttribute('aria-sort', 'descending')
  await expect(head(page, 'Created')).not.toHaveAttribute('aria-sort')
  await expectAccessible(page)

  await amount.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(shown(page)).toContainText([small, middle, large])
  await expect(amount).toHaveAttribute('aria-sort', 'ascending')
  await expect(amount.getByRole('button')).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/sort=/)
  await expect(shown(page)).toContainText([large, small, middle])

  await page.goBack()
  await expect(shown(page)).toContainText([small, middle, large])
})

test('orders that wait for payment are sorted by what expires soonest', async ({ page, server }) => {
  const { member, numbers } = await addOrders(server)
  await page.goto(`/orders?search=${member.email}`)
  await head(page, 'Expires').getByRole('button').click()
  await expect(page).toHaveURL(/sort=expiring/)
  await expect(shown(page)).toContainText(numbers.toReversed())
  await page.reload()
  await expect(shown(page)).toContainText(numbers.toReversed())
  await expect(head(page, 'Expires')).toHaveAttribute('aria-sort', 'ascending')
})

test('an unknown order in the address is the list’s own (product 4.3)', async ({ page, server }) => {
  const { member, numbers } = await addOrders(server)
  await page.goto(`/orders?search=${member.email}&sort=cheapest`)
  await expect(shown(page)).toContainText([numbers[2], numbers[0], numbers[1]])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 720 } })

  test('a list is sorted by a choice, since its heads are not shown', async ({ page, server }) => {
    const { member, numbers } = await addOrders(server)
    await page.goto(`/orders?search=${member.email}`)
    const choice = page.getByRole('combobox', { name: 'Sort' })
    await expect(choice.locator('option:checked')).toHaveText('Newest first')
    await choice.selectOption('Smallest amount first, by currency')
    await expect(shown(page)).toContainText(numbers)
    await expectAccessible(page)
  })
})
