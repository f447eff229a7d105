import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember, buildSubmission, buildWaitingOrder } from './support/members.ts'

/** A banned member whose attempt waits for a decision and whose order waits for payment. */
async function importBanned(server: ConsoleServer) {
  const member = await importMember(server)
  const order = buildWaitingOrder(member.id)
  await server.importLines(buildSubmission(member.id), order)
  await server.sql(
    `UPDATE members SET banned = true, banned_reason = 'Chargeback.', banned_by = 'ada', banned_at = now() WHERE id = $1`,
    [member.id],
  )
  return { ...member, orderNumber: order.orderNumber }
}

const note = ({ name }: { name: string }) => `${name} is banned: Chargeback. You can still decide.`
const dialog = (page: Page) => page.getByRole('dialog')

test('KYC lists mark a banned member, and their dialogs say so', async ({ page, server }) => {
  const member = await importBanned(server)
  const row = page.getByRole('row').filter({ hasText: member.name })
  for (const tab of ['submissions', 'verifications', 'step2']) {
    await page.goto(`/kyc?tab=${tab}&search=${member.email}`)
    await expect(row.getByText('Banned', { exact: true })).toHaveAttribute('title', 'Chargeback.')
  }
  await expectAccessible(page)
  for (const [tab, action] of [
    ['submissions', 'Approve'],
    ['verifications', 'Approve'],
    ['verifications', 'Reject'],
  ]) {
    await page.goto(`/kyc?tab=${tab}&search=${member.email}`)
    await row.getByRole('button', { name: `${action} ${member.name}` }).click()
    await expect(dialog(page)).toContainText(note(member))
  }
  await expectAccessible(page)
})

test('review mode marks a banned member in the case bar and in the decision', async ({ page, server }) => {
  const member = await importBanned(server)
  await page.goto(`/kyc?tab=verifications&search=${member.email}`)
  await page.getByRole('link', { name: `Review ${member.name}` }).click()
  const review = page.getByRole('region', { name: 'KYC review' })
  await expect(review.getByText('Banned', { exact: true })).toBeVisible()
  await expect(review.getByRole('heading', { name: member.name })).toBeFocused()
  await expect(review).toHaveAttribute('aria-busy', 'false')
  for (const [key, action] of [
    ['a', 'Approve'],
    ['r', 'Reject'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(review).toContainText(note(member))
    await page.keyboard.press('Escape')
    await expect(review.getByRole('button', { name: action, exact: true })).toBeFocused()
  }
})

test("the member's own KYC dialog says that they are banned", async ({ page, server }) => {
  const member = await importBanned(server)
  await page.goto(`/users/${member.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog(page)).toContainText(note(member))
})

test('orders mark a banned member, and mark paid and cancel say so', async ({ page, server }) => {
  const member = await importBanned(server)
  await page.goto(`/orders?userId=${member.id}`)
  const row = page.getByRole('row').filter({ hasText: member.orderNumber })
  await expect(row.getByText('Banned', { exact: true })).toBeVisible()
  for (const action of ['Mark Paid', 'Cancel']) {
    const button = row.getByRole('button', { name: `${action} ${member.orderNumber}` })
    await button.click()
    await expect(dialog(page)).toContainText(note(member))
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  }
  await row.getByRole('link', { name: member.orderNumber, exact: true }).press('Enter')
  await expect(page.getByText('Ordered by').getByText('Banned', { exact: true })).toBeVisible()
})
