import { dialog, endRules, makeOrder, openSecond, requestPaid, setRule } from './support/approvals.ts'
import { admin, expect, expectAccessible, expectToast, test } from './support/harness.ts'

test('one operator requests, the bell leads another to it, who approves (product 5.16)', async ({
  page,
  browser,
  server,
}) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  await expect(page.getByText('Another operator has to approve it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  await second.goto('/')
  await second.getByRole('button', { name: /Notifications/ }).click()
  await second.getByRole('link', { name: /1 approval waits for you/ }).click()
  await expect(second).toHaveURL('/approvals?view=others')
  await second.getByRole('link', { name: 'Mark an order paid by hand' }).click()
  const changes = second.getByRole('region', { name: 'What Would Change' })
  await expect(changes.getByRole('row', { name: /Status/ })).toHaveText('StatusWaiting PaymentPaid')
  await expect(changes).toContainText('Seen on paper')
  await second.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(second)).toContainText(`Mark an order paid by hand: ${order.number}`)
  await dialog(second).getByLabel('Comment').fill('Seen too')
  await dialog(second).getByRole('button', { name: 'Approve' }).click()
  await expectToast(second, 'Approved and done', /Mark an order paid by hand/)
  await expect(second.getByRole('region', { name: 'Request', exact: true })).toContainText('Approved bye2e-second')

  // The requester's page follows.
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('note')).toHaveCount(0)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('by grace, by hand, approved by e2e-second (request)')
  await timeline.getByRole('link', { name: 'request' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mark an order paid by hand')
  await second.context().close()
  await endRules(server)
})

test('a request is declined with a comment, which the requester reads (product 5.16)', async ({
  page,
  browser,
  server,
}) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  await second.goto(new URL(page.url()).pathname)
  await second.getByRole('button', { name: 'Decline' }).click()
  await dialog(second).getByRole('button', { name: 'Decline' }).click()
  await expect(dialog(second).getByText('Required')).toBeVisible()
  await dialog(second).getByLabel('Comment').fill('It is of another order')
  await dialog(second).getByRole('button', { name: 'Decline' }).click()
  await expectToast(second, 'Request declined', /Mark an order paid by hand/)
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('It is of another order')
  await second.context().close()
  await endRules(server)
})

test('a request for something that has changed meanwhile fails, and says why (product 5.16)', async ({
  page,
  browser,
  server,
}) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  await second.goto(new URL(page.url()).pathname)
  await second.getByRole('button', { name: 'Approve' }).click()
  await server.sql(`UPDATE orders SET status = 'cancelled', version = version + 1 WHERE id = $1`, [order.id])
  await dialog(second).getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(second).getByRole('alert')).toContainText('This order is cancelled')
  await dialog(second).getByRole('button', { name: 'Reload' }).click()
  await expect(dialog(second)).toContainText('Reloaded. Now: Failed.')
  await dialog(second).getByRole('button', { name: 'Cancel' }).click()
  await expect(second.getByRole('region', { name: 'Request', exact: true })).toContainText('Why it failed')
  await second.context().close()
  await endRules(server)
})

test('an own request is withdrawn by keyboard (product 5.16)', async ({ page, browser, server }) => {
  const order = await makeOrder(server)
  await (await openSecond(browser, server)).context().close()
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  await page.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Withdraw' }).press('Enter')
  await expectToast(page, 'Request withdrawn', /Mark an order paid by hand/)
  await page.goto('/approvals')
  await expect(page.getByText('No data available')).toBeVisible()
  await page.getByRole('combobox', { name: 'State filter' }).selectOption('Withdrawn')
  await expect(page.getByRole('link', { name: 'Mark an order paid by hand' })).toBeVisible()
  await endRules(server)
})

test('a rule is set from an amount, and shown (product 5.16)', async ({ page, browser, server }) => {
  await (await openSecond(browser, server)).context().close()
  await endRules(server)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Change Rule: Cancel an order' }).click()
  await dialog(page).getByLabel('Needs the approval of a second operator').check()
  await dialog(page).getByLabel('From this amount on').fill('five')
  await dialog(page).getByRole('button', { name: 'Save Rule' }).click()
  await expect(dialog(page).getByText('Must be an amount such as 5,000.00')).toBeVisible()
  await dialog(page).getByLabel('From this amount on').fill('5,000')
  await dialog(page).getByLabel('Super Admin').uncheck()
  await dialog(page).getByRole('button', { name: 'Save Rule' }).click()
  await expectToast(page, 'Approval rule saved', 'Cancel an order: From 5,000.00 EUR, if requested by Finance')
  const rule = page.getByRole('row').filter({ hasText: 'Cancel an order' })
  await expect(rule).toContainText('From 5,000.00 EUR, if requested by Finance')
  await endRules(server)
})

test('a rule for one of two ways to pay warns, and one button sets the other (product 5.16)', async ({
  page,
  browser,
  server,
}) => {
  await (await openSecond(browser, server)).context().close()
  await endRules(server)
  await page.goto('/approvals?tab=rules')
  const warning = page.getByRole('note').filter({ hasText: 'One operator alone can still pay an order' })
  await page.getByRole('button', { name: 'Change Rule: Mark an order paid by hand' }).click()
  await dialog(page).getByLabel('Needs the approval of a second operator').check()
  await expect(dialog(page)).toContainText('“Apply bank money, or put it aside” pays an order too')
  await dialog(page).getByLabel('From this amount on').fill('5,000.00')
  await dialog(page).getByRole('button', { name: 'Save Rule' }).click()
  await expect(warning).toContainText('says: No approval needed')
  await expectAccessible(page)
  await warning.getByRole('button', { name: 'Set the Same Rule' }).click()
  await expectToast(page, 'Approval rule saved', 'Apply bank money, or put it aside: From 5,000.00 EUR')
  await expect(warning).toHaveCount(0)
  const rule = page.getByRole('row').filter({ hasText: 'Apply bank money, or put it aside' })
  await expect(rule).toContainText('From 5,000.00 EUR')
  await endRules(server)
})

test('money wants a recent sign-in once that is switched on (product 5.16)', async ({ page, browser, server }) => {
  const order = await makeOrder(server)
  const label = /^Switch On: Mark an order paid or cancel it/
  await page.goto('/approvals?tab=rules')
  await page.getByRole('button', { name: label }).press('Enter')
  await expectToast(page, 'Recent sign-in switched', /on$/)
  await expect(page.getByRole('button', { name: label })).toHaveCount(0)
  // Confirming gives a session another token, so it is one that no other test has.
  const second = await openSecond(browser, server)
  await second.goto(`/orders/${order.id}`)
  await server.sql(`UPDATE sessions SET authenticated_at = now() - interval '16 minutes' WHERE admin_id =
    (SELECT id FROM admins WHERE username = 'e2e-second')`)
  await second.getByRole('button', { name: 'Mark Paid' }).click()
  await dialog(second).getByRole('textbox').fill('Seen on paper')
  await dialog(second).getByRole('button', { name: 'Mark Paid' }).click()
  const asking = second.getByRole('dialog', { name: 'Confirm it’s you' })
  await asking.getByLabel('Password', { exact: true }).fill(admin.password)
  await second.keyboard.press('Enter')
  await expect(dialog(second)).toHaveCount(0)
  await expect(second.getByText('Paid', { exact: true }).first()).toBeVisible()
  await second.context().close()
  await server.sql(`DELETE FROM settings WHERE name = 'step_up_rules'`)
})

test('axe finds nothing on Approvals, a request and its dialogs', async ({ page, browser, server }) => {
  const order = await makeOrder(server)
  const second = await openSecond(browser, server)
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  await second.goto(new URL(page.url()).pathname)
  await expect(second.getByRole('button', { name: 'Approve' })).toBeVisible()
  await expectAccessible(second)
  await second.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog(second)).toBeVisible()
  await expectAccessible(second)
  await second.keyboard.press('Escape')
  await second.goto('/approvals')
  await expect(second.getByRole('link', { name: 'Mark an order paid by hand' })).toBeVisible()
  await expectAccessible(second)
  await second.goto('/approvals?tab=rules')
  await second.getByRole('button', { name: 'Change Rule: Mark an order paid by hand' }).click()
  await expect(dialog(second)).toBeVisible()
  await expectAccessible(second)
  await second.keyboard.press('Escape')
  await second.setViewportSize({ width: 375, height: 812 })
  for (const path of ['/approvals', '/approvals?tab=rules', new URL(page.url()).pathname]) {
    await second.goto(path)
    await expect(second.getByText('Mark an order paid by hand').filter({ visible: true }).first()).toBeVisible()
    expect(await second.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(375)
  }
  await second.context().close()
  await endRules(server)
})
