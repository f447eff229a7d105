import type { Locator, Page } from '@playwright/test'
import { dialog, endRules, makeOrder, openSecond, requestPaid, setRule } from './support/approvals.ts'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importCase } from './support/kyc-cases.ts'
import { findLayoutFaults } from './support/layout-faults.ts'
import { importMember } from './support/members.ts'

const need = (label: string) =>
  `“${label}” needs the approval of a second operator: this sends a request, and nothing is changed before it is approved.`
const sendButton = (within: Locator) => within.getByRole('button', { name: 'Request Approval' })

/** The open dialog says before anything is typed that it makes a request. */
async function expectRequest(page: Page, label: string) {
  await expect(
    dialog(page)
      .getByRole('note')
      .filter({ hasText: need(label) }),
  ).toBeVisible()
  await expect(sendButton(dialog(page))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
}

test('from the amount of a rule on a dialog asks for an approval, below it acts (product 5.16)', async ({
  page,
  server,
}) => {
  const order = await makeOrder(server)
  await setRule(server, 'mark_order_paid')
  await page.goto(`/orders/${order.id}`)
  for (const [from, isNeeded] of [
    ['12500.51', false],
    ['12500.50', true],
  ] as const) {
    await server.sql(`UPDATE approval_rules SET from_amount = $1, currency = 'EUR'`, [from])
    await page.reload()
    await page.getByRole('button', { name: 'Mark Paid' }).click()
    await expect(dialog(page).getByText('counts as received')).toBeVisible()
    await expect(sendButton(dialog(page))).toHaveCount(isNeeded ? 1 : 0)
    const words = '“Mark an order paid by hand”, from 12,500.50 EUR on and in any other currency, needs the approval'
    await expect(dialog(page).getByText(words)).toHaveCount(isNeeded ? 1 : 0)
    await page.keyboard.press('Escape')
  }
  await endRules(server)
})

test('each dialog that a rule covers says that it makes a request (product 5.16)', async ({
  page,
  server,
  operator,
}) => {
  test.slow()
  const [one, banned] = [await importCase(server), await importMember(server)]
  expect((await operator.post(`/api/users/${banned.id}/ban`, { data: { reason: 'Seen twice' } })).ok()).toBe(true)
  await setRule(server, 'cancel_order', 'ban_user', 'unban_user', 'approve_kyc', 'reject_kyc', 'reset_kyc')
  const order = await makeOrder(server)
  const open = async (path: string, name: string) => {
    await page.goto(path)
    await page.getByRole('button', { name, exact: true }).click()
  }
  await open(`/orders/${order.id}`, 'Cancel Order')
  await expectRequest(page, 'Cancel an order')
  await open(`/users/${one.id}`, 'Ban User')
  await expectRequest(page, 'Ban a member')
  await open(`/users/${banned.id}`, 'Unban User')
  await expectRequest(page, 'Unban a member')
  for (const name of ['Approve', 'Reject', 'Reset']) {
    await open(`/users/${one.id}?tab=kyc`, name)
    await expectRequest(page, `${name} KYC`)
  }
  await open(`/kyc?tab=verifications&search=${one.email}`, `Reject ${one.name}`)
  await expectRequest(page, 'Reject KYC')
  await page.goto(`/kyc?tab=verifications&review=${one.verification}`)
  await expect(page.getByRole('region', { name: 'KYC review' })).toBeVisible()
  await page.getByRole('button', { name: /^Reject/ }).click()
  const form = page.getByRole('group', { name: /^Reject KYC of/ })
  await expect(form.getByRole('note')).toContainText(need('Reject KYC'))
  await expect(sendButton(form)).toBeVisible()
  await endRules(server)
})

test('dialogs of tokens, operators, the policy and the rules say so as well (product 5.16)', async ({
  page,
  browser,
  server,
}) => {
  await (await openSecond(browser, server)).context().close()
  await setRule(server, 'create_token', 'switch_token', 'change_operators', 'set_bank_policy', 'set_approval_rule')
  await page.goto('/tokens?add=true')
  await expectRequest(page, 'Add a token')
  await expect(page.getByRole('main').getByRole('note')).toContainText(need('Switch a token on or off'))
  await page.goto('/operators')
  await page.getByRole('button', { name: 'Invite Operator' }).click()
  await expect(dialog(page)).toContainText('Who approves it gets a link to hand over.')
  await expectRequest(page, 'Change operators')
  await page.goto('/approvals?tab=rules')
  await page.getByRole('button', { name: 'Change Rule: Ban a member' }).click()
  await expectRequest(page, 'Change an approval rule')
  await endRules(server)
})

test('a rule that is gone meanwhile lets the change pass, as the server says (product 5.16)', async ({
  page,
  server,
}) => {
  const order = await makeOrder(server)
  await setRule(server, 'mark_order_paid')
  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Mark Paid' }).click()
  await expect(sendButton(dialog(page))).toBeVisible()
  await endRules(server)
  await dialog(page).getByRole('textbox').fill('Seen on paper')
  await sendButton(dialog(page)).click()
  await expectToast(page, 'Order Updated')
})

/** The number of decided requests that the bell leads to. */
const news = (page: Page) => page.getByRole('link', { name: /request of yours was decided or has expired/ })

test('the bell leads the requester to what was decided, until it was opened (product 3.6)', async ({
  page,
  browser,
  server,
}) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  const path = new URL(page.url()).pathname
  // The requester is not here when it is decided.
  await page.goto('about:blank')
  await second.goto(path)
  await second.getByRole('button', { name: 'Decline' }).click()
  await dialog(second).getByLabel('Comment').fill('It is of another order')
  await dialog(second).getByRole('button', { name: 'Decline' }).click()
  await expectToast(second, 'Request declined')

  await page.goto('/')
  await page.getByRole('button', { name: /Notifications/ }).press('Enter')
  await news(page).press('Enter')
  await expect(page).toHaveURL('/approvals?view=answered')
  await expect(page.getByRole('combobox', { name: 'State filter' })).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Mark an order paid by hand' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('It is of another order')
  await expect.poll(async () => (await server.sql('SELECT 1 FROM approvals WHERE seen_at IS NOT NULL')).length).toBe(1)
  await page.goto('/')
  await page.getByRole('button', { name: /Notifications/ }).click()
  await expect(news(page)).toHaveCount(0)
  await second.context().close()
  await endRules(server)
})

async function requestBan(page: Page, server: ConsoleServer) {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await page.getByRole('button', { name: 'Ban User' }).click()
  await dialog(page).getByLabel('Reason').fill('Seen twice')
  await sendButton(dialog(page)).click()
  await expectToast(page, 'Sent for approval')
  return member
}

test('what waits for an approval is not offered again, and the page says who asked (product 5.16)', async ({
  page,
  server,
}) => {
  await setRule(server, 'ban_user', 'approve_kyc', 'mark_order_paid')
  const member = await requestBan(page, server)
  const waits = page.getByRole('note').filter({ hasText: 'Waits for an approval: Ban a member. Requested by grace' })
  await expect(waits.getByRole('link', { name: 'View request' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ban User' })).toHaveCount(0)
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: `Ban ${member.name}` }).click()
  await expect(dialog(page).getByRole('note')).toContainText('Waits for an approval: Ban a member')
  await dialog(page).getByLabel('Reason').fill('Seen thrice')
  await expect(sendButton(dialog(page))).toBeDisabled()

  const order = await makeOrder(server)
  await requestPaid(page, order)
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByRole('button', { name: 'Cancel Order' })).toBeVisible()
  await expect(page.getByRole('note').getByRole('link', { name: 'View request' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark Paid' })).toHaveCount(0)

  const one = await importCase(server)
  await page.goto(`/users/${one.id}?tab=kyc`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await sendButton(dialog(page)).click()
  await dialog(page).getByRole('button', { name: 'Request Approval anyway' }).click()
  await expectToast(page, 'Sent for approval')
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  await page.goto(`/kyc?tab=verifications&review=${one.verification}`)
  const review = page.getByRole('region', { name: 'KYC review' })
  await expect(review.getByRole('note')).toContainText('Waits for an approval: Approve KYC')
  await expect(review.getByRole('button', { name: /^Reject/ })).toBeVisible()
  await expect(review.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(review).toHaveAttribute('aria-busy', 'false')
  // In an open form the second key would be text.
  await page.keyboard.press('a')
  await page.keyboard.press('r')
  await expect(page.getByRole('group', { name: /^Reject KYC of/ })).toBeVisible()
  await expect(page.getByRole('group', { name: /^Approve KYC of/ })).toHaveCount(0)
  await endRules(server)
})

test('who approves KYC for a colleague reads what is missing, and presses twice (product 5.10)', async ({
  page,
  server,
  operator,
}) => {
  await setRule(server, 'approve_kyc')
  const one = await importCase(server)
  const requested = await (await operator.post(`/api/users/${one.id}/kyc/approve`)).json()
  await page.goto(`/approvals/${requested.approval.id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(page)).toContainText('Document type, Identity front and Selfie are missing.')
  await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Approve anyway' }).click()
  await expectToast(page, 'Approved and done', one.name)
  await endRules(server)
})

test('a request from before a disabling can be declined alone (product 2.11)', async ({ page, browser, server }) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(second, order)
  const path = new URL(second.url()).pathname
  await second.context().close()
  await server.sql(`UPDATE admins SET last_disabled_at = now() WHERE username = 'e2e-second'`)
  await page.goto(path)
  await expect(page.getByRole('note')).toContainText(
    'Nobody can approve this: e2e-second, who has requested this, has been disabled since; decline it',
  )
  await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await findLayoutFaults(page)).toEqual([])
  await server.sql(`UPDATE admins SET last_disabled_at = NULL`)
  await page.goto(`/orders/${(await makeOrder(server)).id}`)
  await page.getByRole('button', { name: 'Mark Paid' }).click()
  await expect(sendButton(dialog(page))).toBeVisible()
  await expectAccessible(page)
  expect(await findLayoutFaults(page)).toEqual([])
  await endRules(server)
})
