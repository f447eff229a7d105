import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import {
  accountMenu,
  amount,
  applyButton,
  askFor,
  button,
  candidate,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  readAllocations,
  readOrder,
  rows,
  workList,
} from './support/desk.ts'

test.use({ data: 'empty' })

test('a refused split keeps what was typed, and can be sent again after a reload (product 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const [one, two] = [await askFor(server, '60.00'), await askFor(server, '30.00')]
  const account = await importWork(operator, 'Stale', [payFor(one, '100.00')])
  await page.route('**/api/live', (route) => route.abort())
  const claimed = page.waitForResponse((reply) => reply.url().endsWith('/claim'))
  await openDesk(page, account)
  await expect(button(page, `Choose ${one.number}`)).toHaveAttribute('aria-pressed', 'true')
  await claimed
  await page.keyboard.press('s')
  await line(page).getByLabel(`Amount for ${one.number}`).fill('55')
  await line(page).getByLabel('Leave the rest open').check()
  // The lease is over, and another operator decides.
  const [found] = await server.sql<{ id: string }>('SELECT id::text FROM bank_lines WHERE account_id = $1', [
    account.id,
  ])
  await server.sql('DELETE FROM bank_claims WHERE line_id = $1', [found!.id])
  const data = { allocations: [{ purpose: 'ignored', amount: '10', code: 'fee' }] }
  expect((await operator.post(`/api/bank/lines/${found!.id}/allocations`, { data })).ok()).toBe(true)
  await applyButton(page).click()
  await expect(line(page).getByRole('alert')).toContainText('by joan')
  await expect(applyButton(page)).toBeDisabled()
  await line(page).getByRole('button', { name: 'Reload' }).click()
  await expect(line(page)).toContainText('What you typed is still here')
  await expect(line(page).getByLabel(`Amount for ${one.number}`)).toHaveValue('55')
  await expect(line(page).getByRole('status').filter({ hasText: 'Rest' })).toContainText('35.00')
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', `${one.number} · 55.00 EUR`)
  expect(await readOrder(server, two)).toMatchObject({ received: '0.00' })
})

test('a line that another operator has open says who, and waits (product 5.13)', async ({ page, server, operator }) => {
  const order = await askFor(server, '45.00')
  const account = await importWork(operator, 'Held', [payFor(order, '45.00')])
  const [found] = await server.sql<{ id: string }>('SELECT id::text FROM bank_lines WHERE account_id = $1', [
    account.id,
  ])
  expect((await operator.post(`/api/bank/lines/${found!.id}/claim`)).ok()).toBe(true)
  await openDesk(page, account)
  await expect(line(page)).toContainText('joan has this line open')
  await expect(applyButton(page)).toBeDisabled()
  await expect(button(page, 'Put Aside')).toBeDisabled()
  await page.keyboard.press('Enter')
  expect((await operator.delete(`/api/bank/lines/${found!.id}/claim`)).ok()).toBe(true)
  await line(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(line(page)).toContainText('Yours until')
  await expect(applyButton(page)).toBeEnabled()
  expect(await readAllocations(server, account)).toEqual([])
})

test('what others decide shows live, and the open line keeps its place (product 3.4)', async ({
  page,
  server,
  operator,
}) => {
  const [one, two] = [await askFor(server, '21.00'), await askFor(server, '22.00')]
  const account = await importWork(operator, 'Live', [payFor(one, '21.00'), payFor(two, '22.00')])
  await openDesk(page, account)
  await expectLive(page)
  await expect(rows(page)).toHaveCount(2)
  await expect(amount(page)).toContainText('21.00 EUR')
  await page.keyboard.press('j')
  await expect(amount(page)).toContainText('22.00 EUR')
  await expect(line(page)).toContainText('2 of 2')
  // The first line is free again.
  await expect(line(page)).toContainText('Yours until')
  const [first] = await server.sql<{ id: string }>(
    "SELECT id::text FROM bank_lines WHERE account_id = $1 AND amount = '21'",
    [account.id],
  )
  const data = { allocations: [{ purpose: 'order', orderId: one.id, amount: '21' }] }
  expect((await operator.post(`/api/bank/lines/${first!.id}/allocations`, { data })).ok()).toBe(true)
  await expect(rows(page)).toHaveCount(1)
  await expect(line(page)).toContainText('1 of 1')
  await expect(amount(page)).toContainText('22.00 EUR')
})

test('leaving a typed split asks first (product 3.5)', async ({ page, server, operator }) => {
  const [one, two] = [await askFor(server, '31.00'), await askFor(server, '32.00')]
  const account = await importWork(operator, 'Leave', [payFor(one, '31.00'), payFor(two, '32.00')])
  await openDesk(page, account)
  await expect(button(page, `Choose ${one.number}`)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  await line(page).getByLabel(`Amount for ${one.number}`).fill('5')
  await workList(page).getByRole('link').nth(1).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Discard what you typed?')
  await question.getByRole('button', { name: /Keep|Cancel/ }).click()
  await expect(line(page).getByLabel(`Amount for ${one.number}`)).toHaveValue('5')
  await workList(page).getByRole('link').nth(1).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(amount(page)).toContainText('32.00 EUR')
})

test('on a phone a line has the screen to itself, with a way back to the list (product 3.8)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '55.00')
  const account = await importWork(operator, 'Phone', [
    payFor(order, '55.00'),
    { amount: '56.00', payer: 'Rui', text: 'hello' },
  ])
  await page.setViewportSize({ width: 375, height: 812 })
  await openDesk(page, account)
  await expect(rows(page)).toHaveCount(2)
  await expect(line(page)).toBeHidden()
  await workList(page).getByRole('link').first().click()
  await expect(amount(page)).toContainText('55.00 EUR')
  await expect(line(page)).toContainText('1 of 2')
  await expect(workList(page)).toBeHidden()
  await expect(accountMenu(page, account.name)).toBeHidden()
  await line(page).getByRole('button', { name: 'Lines' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await expect(page.getByRole('main')).toBeVisible()
  await openDesk(page, account)
  await workList(page).getByRole('link').first().click()
  await expect(applyButton(page)).toBeEnabled()
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', order.number)
  await expect(amount(page)).toContainText('56.00 EUR')
})

test('lines that fit exactly are applied with one press, where the policy allows it (product 7.11)', async ({
  page,
  server,
  operator,
}) => {
  // Names that are not alike, so that each payer can only be one member.
  const one = await askFor(server, '1017.00', { legalFirstName: 'Beatriz', legalLastName: 'Sampaio' })
  const two = await askFor(server, '2018.00', { legalFirstName: 'Chidi', legalLastName: 'Okafor' })
  const account = await importWork(operator, 'Exact', [
    payFor(one, '1017.00'),
    payFor(two, '2018.00'),
    { amount: '19.00', payer: 'Rui', text: 'hello' },
  ])
  await openDesk(page, account)
  await expect(page.getByRole('button', { name: 'Review 2 Exact' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Exact 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Unmatched 1' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'To do 3' }).click()
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('e')
  await expect(dialog(page)).toContainText('The policy lets no lines be applied together')
  await expect(dialog(page).getByRole('button', { name: 'Switch On and Apply 2' })).toBeEnabled()
  await dialog(page).getByRole('button', { name: 'Open the Policy' }).click()
  const policy = page.getByRole('dialog', { name: 'Reconciliation policy' })
  await expect(policy).toContainText(/the policy would have/)
  await policy.getByLabel('Bank fees up to').fill('much')
  await policy.getByRole('button', { name: 'Save' }).click()
  await expect(policy.getByLabel('Bank fees up to')).toHaveAccessibleDescription(/Must be an amount/)
  await policy.getByLabel('Bank fees up to').fill('35.00')
  await policy.getByLabel('Exact lines may be applied together, in one press').check()
  await policy.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Reconciliation policy saved')
  await page.getByRole('button', { name: 'Apply 2 Exact' }).click()
  await expect(dialog(page).getByRole('row').filter({ hasText: one.number })).toContainText('1,017.00 EUR')
  await expect(dialog(page).getByRole('list', { name: 'Totals' }).getByRole('listitem')).toHaveText([
    `${account.name} 2 lines3,035.00 EUR`,
  ])
  await expect(dialog(page).getByRole('button', { name: 'Apply 2' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Applied', '2 lines applied')
  await expect(dialog(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(1)
  expect(await readOrder(server, one)).toMatchObject({ status: 'paid' })
  await page.keyboard.press('u')
  await expect(dialog(page)).toContainText('Undo 2 lines?')
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Applied by mistake')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Undone', '2 lines undone')
  await expect(dialog(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(3)
  expect(await readOrder(server, one)).toMatchObject({ status: 'waiting_payment' })
  await page.keyboard.press('u')
  await expectToast(page, 'Nothing to undo')
  await server.sql('UPDATE bank_policy SET auto_apply = false')
})

test('the policy is switched on and exact lines are applied in one press (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '1019.00', { legalFirstName: 'Ingrid', legalLastName: 'Solheim' })
  await openDesk(page, await importWork(operator, 'Switched', [payFor(order, '1019.00')]))
  await page.getByRole('button', { name: 'Review 1 Exact' }).click()
  await dialog(page).getByRole('button', { name: 'Switch On and Apply 1' }).click()
  await expectToast(page, 'Payment Applied', '1 line applied')
  await expect(dialog(page)).toHaveCount(0)
  expect(await readOrder(server, order)).toMatchObject({ status: 'paid' })
  expect(await server.sql('SELECT auto_apply FROM bank_policy')).toEqual([{ auto_apply: true }])
  await server.sql('UPDATE bank_policy SET auto_apply = false')
})

test('the keys are listed (product 3.9)', async ({ page, server, operator }) => {
  const account = await importWork(operator, 'Keys', [payFor(await askFor(server, '12.00'), '12.00')])
  await openDesk(page, account)
  await expect(amount(page)).toContainText('12.00 EUR')
  await page.keyboard.press('?')
  await expect(dialog(page)).toContainText('Split the line into parts')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})

test('the desk, a split and its dialogs are accessible', async ({ page, server, operator }) => {
  const order = await askFor(server, '91.00')
  const account = await importWork(operator, 'Accessible', [
    payFor(order, '91.00', { payer: 'Rui Pires' }),
    payFor(order, '50.00'),
    { amount: '9.00', payer: 'Grid', text: 'fee', direction: 'DBIT' },
  ])
  await openDesk(page, account)
  await expect(candidate(page, order.number)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('s')
  await expect(line(page).getByRole('region', { name: 'Split' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  for (const key of ['r', 'i', '/', '?']) {
    await page.keyboard.press(key)
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
})
