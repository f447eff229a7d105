import { expect, expectToast, test } from './support/harness.ts'
import {
  applyButton,
  applyByEnter,
  askFor,
  button,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  readLineIds,
  readAllocations,
} from './support/desk.ts'

test.use({ data: 'empty' })

test('a refused split shows what orders wait for now, and goes on once corrected (product 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Corrected', [
    payFor(order, '100.00'),
    { amount: '40.00', payer: 'Rui', text: 'hello' },
  ])
  await page.route('**/api/live', (route) => route.abort())
  await openDesk(page, account)
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  const typed = line(page).getByLabel(`Amount for ${order.number}`)
  await typed.fill('55')
  await line(page).getByRole('button', { name: 'Put a Part Aside' }).click()
  await expect(line(page).getByLabel('Amount for what is put aside')).toHaveValue('45.00')
  // Another operator gives the order other money meanwhile.
  const other = (await readLineIds(server, account)).get(40)
  const data = { allocations: [{ purpose: 'order', orderId: order.id, amount: '40' }], reason: 'Rui pays for her' }
  const reply = await operator.post(`/api/bank/lines/${other}/allocations`, { data })
  expect(reply.ok(), await reply.text()).toBe(true)
  await applyButton(page).click()
  await expect(line(page).getByRole('alert')).toContainText('waits for 20.00 EUR only')
  await expect(line(page).getByRole('button', { name: 'Reload' })).toHaveCount(0)
  await expect(line(page).getByRole('row').filter({ hasText: order.number })).toContainText('20.00')
  await expect(typed).toHaveValue('55')
  await expect(typed).toBeFocused()
  await expect(typed).toHaveAccessibleDescription(`${order.number} waits for 20.00 EUR only.`)
  await expect(applyButton(page)).toBeDisabled()
  await typed.fill('20')
  await expect(line(page).getByRole('alert')).toHaveCount(0)
  await expect(applyButton(page)).toBeDisabled()
  await line(page).getByLabel('Amount for what is put aside').fill('80')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', order.number)
  const allocations = (await readAllocations(server, account)).map(({ purpose, amount }) => [purpose, Number(amount)])
  expect(allocations).toEqual(
    expect.arrayContaining([
      ['order', 20],
      ['ignored', 80],
    ]),
  )
})

test('a reloaded split says how line and orders stand now, and waits until it adds up (product 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Reloaded', [
    payFor(order, '100.00'),
    { amount: '40.00', payer: 'Rui', text: 'hello' },
  ])
  await page.route('**/api/live', (route) => route.abort())
  const claimed = page.waitForResponse((reply) => reply.url().endsWith('/claim'))
  await openDesk(page, account)
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await claimed
  await page.keyboard.press('s')
  const typed = line(page).getByLabel(`Amount for ${order.number}`)
  await typed.fill('60')
  await line(page).getByLabel('Leave the rest open').check()
  const lines = await readLineIds(server, account)
  await server.sql('DELETE FROM bank_claims WHERE line_id = $1', [lines.get(100)])
  for (const [amount, allocation] of [
    [100, { purpose: 'ignored', amount: '50', code: 'fee' }],
    [40, { purpose: 'order', orderId: order.id, amount: '40' }],
  ] as const) {
    const data = { allocations: [allocation], reason: 'Rui pays for her' }
    expect((await operator.post(`/api/bank/lines/${lines.get(amount)}/allocations`, { data })).ok()).toBe(true)
  }
  await applyButton(page).click()
  await expect(line(page).getByRole('alert')).toContainText('by joan')
  await expect(line(page).getByRole('button', { name: 'Reload' })).toBeFocused()
  await page.keyboard.press('Enter')
  const message = line(page).getByRole('status').filter({ hasText: 'Reloaded' })
  await expect(message).toContainText('What you typed is still here')
  await expect(message).toContainText(`50.00 EUR of the line is open; ${order.number} waits for 20.00 EUR`)
  await expect(typed).toHaveValue('60')
  await expect(typed).toBeFocused()
  await expect(applyButton(page)).toBeDisabled()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('20')
  await expect(message).toHaveCount(0)
  await line(page).getByLabel('Leave the rest open').check()
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', `${order.number} · 20.00 EUR`)
})

test('the rest of a split is offered to an order up to what it waits for (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Offer', [payFor(order, '100.00')])
  await openDesk(page, account)
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  await expect(button(page, /^(Give|Take)/)).toHaveCount(0)
  await line(page).getByLabel(`Amount for ${order.number}`).fill('50')
  await button(page, `Give 10.00 to ${order.number}`).click()
  await expect(line(page).getByLabel(`Amount for ${order.number}`)).toHaveValue('60.00')
  await line(page).getByLabel(`Amount for ${order.number}`).fill('61')
  await line(page).getByLabel('Leave the rest open').check()
  await expect(line(page).getByLabel(`Amount for ${order.number}`)).toHaveAttribute('aria-invalid', 'true')
  await expect(applyButton(page)).toBeDisabled()
})

test('a key in an amount of a split is text (product 3.9)', async ({ page, server, operator }) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Typed', [payFor(order, '100.00')])
  await openDesk(page, account)
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  const typed = line(page).getByLabel(`Amount for ${order.number}`)
  const split = line(page).getByRole('region', { name: 'Split' })
  await expect(typed).toBeFocused()
  await expect(split.locator('kbd').first()).toHaveCSS('opacity', '0.35')
  for (const key of ['i', 'r', '/']) await page.keyboard.press(key)
  await expect(typed).toHaveValue('ir/')
  await expect(split.getByRole('row')).toHaveCount(2)
  await typed.fill('60')
  await page.keyboard.press('Tab')
  await expect(split.locator('kbd').first()).toHaveCSS('opacity', '1')
  await page.keyboard.press('i')
  await expect(line(page).getByLabel('Amount for what is put aside')).toHaveValue('40.00')
})

test('the help of the keys says what they are in a field (product 3.9)', async ({ page, operator }) => {
  const account = await importWork(operator, 'Help', [{ amount: '5.00', payer: 'Rui', text: 'hello' }])
  await openDesk(page, account)
  await expect(line(page)).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('In a field these keys are text')
})

test('on a phone the amounts of a split have their place beside the purposes (product 3.8)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Phone', [payFor(order, '100.00')])
  await page.setViewportSize({ width: 375, height: 812 })
  await openDesk(page, account)
  await page.getByRole('list', { name: 'Bank lines to do' }).getByRole('link').first().click()
  await button(page, /^Split/).click()
  const typed = await line(page).getByLabel(`Amount for ${order.number}`).boundingBox()
  const remove = await button(page, `Remove ${order.number}`).boundingBox()
  expect(typed!.width).toBeGreaterThan(80)
  expect(remove!.x).toBeGreaterThanOrEqual(typed!.x + typed!.width)
})

test('under an approval rule all parts of a line are undone by one request (product 2.11)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Undo parts', [payFor(order, '100.00')])
  await openDesk(page, account)
  await expect(applyButton(page)).toBeEnabled()
  await applyButton(page).click()
  await expect(line(page).getByRole('region', { name: 'Split' })).toBeVisible()
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', order.number)
  await server.sql(`INSERT INTO approval_rules (action, is_on, changed_by) VALUES ('undo_payment', true, 'joan')`)
  await page.keyboard.press('u')
  await expect(dialog(page)).toContainText('Undo 2 parts?')
  await dialog(page)
    .getByRole('button', { name: /^(Undo|Request)/ })
    .click()
  await expectToast(page, 'Sent for approval')
  await expect(dialog(page)).toHaveCount(0)
  const requests = `SELECT state, jsonb_array_length(changes) AS changes FROM approvals WHERE action = 'undo_payment'`
  expect(await server.sql(requests)).toEqual([{ state: 'open', changes: 2 }])
  expect((await readAllocations(server, account)).map(({ undone }) => undone)).toEqual([false, false])
  await server.sql(`DELETE FROM approval_rules`)
})
