import { expect, expectToast, test } from './support/harness.ts'
import {
  accountMenu,
  amount,
  applyButton,
  applyByEnter,
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
  writeStatement,
} from './support/desk.ts'
import { addAccount, dropFile, newNumber } from './support/statements.ts'

test.use({ data: 'empty' })

test('a dropped file is worked by keyboard until nothing is left (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const [one, two] = [await askFor(server, '1234.50'), await askFor(server, '80.00')]
  const account = await addAccount(operator, `Keyboard ${newNumber()}`)
  await openDesk(page, account)
  await expect(page.getByText('No statement was imported yet').last()).toBeVisible()
  const file = writeStatement(account.account, [
    payFor(one, '1234.50'),
    { amount: '99.00', payer: 'Grid Company', text: 'Fees of November', direction: 'DBIT' },
    payFor(two, '80.00'),
  ])
  await dropFile(page, 'november.xml', file)
  await expect(dialog(page)).toContainText('3 lines new')
  await page.keyboard.press('Escape')

  await expect(rows(page)).toHaveCount(3)
  await expect(amount(page)).toContainText('1,234.50 EUR')
  await expect(line(page).locator('mark')).toHaveText(one.number)
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', `${one.number} · 1,234.50 EUR`)
  await expect(amount(page)).toContainText('−99.00 EUR')
  await expect(amount(page)).toBeFocused()
  // The letters count once the line's candidates have come.
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('i')
  await expect(dialog(page).getByRole('radio', { name: /Own payment/ })).toBeFocused()
  await page.keyboard.press('3')
  await expect(dialog(page).getByRole('radio', { name: /Bank fee/ })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(amount(page)).toContainText('80.00 EUR')
  await applyByEnter(page)

  await expect(page.getByRole('heading', { name: `${account.name} is reconciled` })).toBeVisible()
  const done = page.getByRole('region', { name: 'Done' })
  const rowNames = done.getByRole('table', { name: 'The outcome of the money' }).getByRole('row')
  await expect(rowNames).toHaveText([
    'PurposePartsEUR',
    'Applied to orders21,314.50',
    'Money in21,314.50',
    'Bank fee1−99.00',
    'Money out1−99.00',
  ])
  await expect(done).toContainText('Difference to the latest statement')
  const balances = done.getByRole('table', { name: 'Statements' }).getByRole('row')
  await expect(balances).toHaveCount(3)
  for (const row of [balances.nth(1), balances.nth(2)])
    await expect(row).toContainText(/1,000\.00.*\+1,314\.50.*−99\.00.*2,215\.50.*0\.00/)
  await expect(accountMenu(page, account.name)).toContainText('0 to do')
  expect(await readOrder(server, one)).toMatchObject({ status: 'paid' })
  expect(await readOrder(server, two)).toMatchObject({ status: 'paid' })
  expect(await readAllocations(server, account)).toMatchObject([
    { purpose: 'order' },
    { purpose: 'ignored', code: 'fee' },
    { purpose: 'order' },
  ])
})

/** How many lines are worked in a row. */
const quickLines = 20

test('a suggested line takes one key, once its button looks ready (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const orders = []
  for (let count = 0; count < quickLines; count += 1) orders.push(await askFor(server, `${100 + count}.00`))
  const account = await importWork(
    operator,
    'Quick',
    orders.map((order, at) => payFor(order, `${100 + at}.00`)),
  )
  await openDesk(page, account)
  let presses = 0
  for (const at of orders.keys()) {
    await expect(amount(page)).toContainText(`${100 + at}.00 EUR`)
    // A press before that would be ignored.
    await applyByEnter(page)
    presses += 1
  }
  await expect(page.getByRole('heading', { name: `${account.name} is reconciled` })).toBeVisible()
  expect(presses).toBe(quickLines)
  expect(await readAllocations(server, account)).toHaveLength(quickLines)
})

test('the money of a third party needs a reason first (product 7.10)', async ({ page, server, operator }) => {
  const order = await askFor(server, '500.00')
  const account = await importWork(operator, 'Third', [payFor(order, '500.00', { payer: 'Rui Pires' })])
  await openDesk(page, account)
  await expect(candidate(page, order.number)).toContainText('Third party')
  if ((await button(page, `Choose ${order.number}`).getAttribute('aria-pressed')) !== 'true')
    await page.keyboard.press('1')
  const reason = line(page).getByRole('textbox', { name: 'Reason' })
  await expect(reason).toHaveAccessibleDescription(/is not/)
  await expect(applyButton(page)).toBeDisabled()
  const alert = line(page).getByRole('alert')
  await page.keyboard.press('Enter')
  await expect(alert).toHaveText('Give a reason first.')
  await expect(reason).toBeFocused()
  await page.keyboard.type('Spouse, certificate on file')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', order.number)
  expect(await readAllocations(server, account)).toMatchObject([
    { purpose: 'order', reason: 'Spouse, certificate on file' },
  ])
})

test('a line is split among orders, a refund and what is put aside (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const [one, two] = [await askFor(server, '480.00'), await askFor(server, '520.00')]
  const account = await importWork(operator, 'Split', [
    { amount: '1000.00', payer: 'Kowalczyk Consulting', text: 'FV 11/2026' },
  ])
  await openDesk(page, account)
  await expect(amount(page)).toContainText('1,000.00 EUR')
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('s')
  const split = line(page).getByRole('region', { name: 'Split' })
  const rest = split.getByRole('status')
  await expect(rest).toContainText('1,000.00')
  for (const { number } of [one, two]) {
    await split.getByRole('button', { name: 'Add an Order' }).click()
    await dialog(page).getByRole('combobox', { name: 'Search orders' }).fill(number)
    await expect(dialog(page).getByRole('option')).toHaveCount(1)
    await expect(dialog(page).getByRole('option')).toContainText(number)
    await page.keyboard.press('Enter')
    await expect(split.getByLabel(`Amount for ${number}`)).toBeFocused()
  }
  await expect(split.getByLabel(`Amount for ${one.number}`)).toHaveValue('480.00')
  await expect(rest).toContainText('0.00')
  await split.getByLabel(`Amount for ${two.number}`).fill('400')
  await expect(rest).toContainText('120.00')
  await expect(applyButton(page)).toBeDisabled()
  await split.getByRole('button', { name: `Give it to ${two.number}` }).click()
  await expect(split.getByLabel(`Amount for ${two.number}`)).toHaveValue('520.00')
  await split.getByLabel(`Amount for ${two.number}`).fill('600')
  await expect(rest).toContainText('80.00 EURtoo much')
  await split.getByLabel(`Amount for ${two.number}`).fill('400')
  await split.getByRole('button', { name: 'Refund a Part' }).click()
  await split.getByLabel('Cause of the refund').selectOption('Overpaid')
  await split.getByLabel('Amount for the refund').fill('100')
  await split.getByRole('button', { name: 'Put a Part Aside' }).click()
  await expect(split.getByLabel('Amount for what is put aside')).toHaveValue('20.00')
  const reason = line(page).getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeVisible()
  await reason.fill('Company of both members')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', one.number)
  const allocations = await readAllocations(server, account)
  expect(allocations.map(({ purpose, amount: each }) => [purpose, Number(each)]).toSorted()).toEqual([
    ['ignored', 20],
    ['order', 400],
    ['order', 480],
    ['refund', 100],
  ])
  expect(await readOrder(server, one)).toMatchObject({ status: 'paid' })
  expect(await readOrder(server, two)).toMatchObject({ status: 'waiting_payment' })
})

test('an overpaid order asks what the rest is for (product 7.10)', async ({ page, server, operator }) => {
  const order = await askFor(server, '300.00')
  const account = await importWork(operator, 'Overpaid', [payFor(order, '340.00')])
  await openDesk(page, account)
  await applyByEnter(page)
  const split = line(page).getByRole('region', { name: 'Split' })
  await expect(split.getByLabel(`Amount for ${order.number}`)).toHaveValue('300.00')
  await expect(split.getByLabel('Amount for the refund')).toHaveValue('40.00')
  await expect(split.getByLabel('Cause of the refund')).toHaveValue('overpaid')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Applied', order.number)
  expect(await readAllocations(server, account)).toMatchObject([
    { purpose: 'refund', cause: 'overpaid' },
    { purpose: 'order' },
  ])
})

test('the rest of a split stays open only by choice (product 5.13)', async ({ page, server, operator }) => {
  const order = await askFor(server, '60.00')
  const account = await importWork(operator, 'Rest', [payFor(order, '100.00')])
  await openDesk(page, account)
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  await expect(applyButton(page)).toBeDisabled()
  await line(page).getByLabel('Leave the rest open').check()
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', `${order.number} · 60.00 EUR`)
  await expect(rows(page)).toHaveCount(1)
  await expect(amount(page)).toContainText('40.00 EUR of it open')
  await expect(line(page).getByRole('region', { name: 'History' })).toContainText(
    `60.00 EUR Applied to ${order.number}`,
  )
})

test('money is set aside to be paid back, with its cause (product 7.10)', async ({ page, server, operator }) => {
  const account = await importWork(operator, 'Refund', [{ amount: '75.00', payer: 'Nobody Known', text: 'hello' }])
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('r')
  await expect(dialog(page).getByRole('button', { name: 'Mark for Refund' })).toBeDisabled()
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Sender unknown')
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'Payment Applied', 'To be paid back: other · 75.00 EUR')
  expect(await readAllocations(server, account)).toMatchObject([
    { purpose: 'refund', cause: 'other', reason: 'Sender unknown' },
  ])
  const done = page.getByRole('region', { name: 'Done' })
  await done.getByRole('link', { name: 'Refunds to Make' }).click()
  await expect(page.getByRole('button', { name: 'Remove filter: Refunds due' })).toBeVisible()
  await expect(page.getByRole('table')).toContainText('Nobody Known')
})

test('the last decision is undone by U and Enter, and its line is open again (product 7.10)', async ({
  page,
  server,
  operator,
}) => {
  const [one, two] = [await askFor(server, '41.00'), await askFor(server, '42.00')]
  const account = await importWork(operator, 'Undo', [payFor(one, '41.00'), payFor(two, '42.00')])
  await openDesk(page, account)
  await applyByEnter(page)
  await expect(amount(page)).toContainText('42.00 EUR')
  await page.keyboard.press('u')
  await expect(dialog(page)).toContainText(`Applied to ${one.number}`)
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Applied by mistake')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Undone', one.number)
  await expect(amount(page)).toContainText('41.00 EUR')
  await expect(rows(page)).toHaveCount(2)
  await expect(line(page).getByRole('region', { name: 'History' })).toContainText('Undone by grace')
  expect(await readOrder(server, one)).toMatchObject({ status: 'waiting_payment' })
  expect(await readAllocations(server, account)).toMatchObject([{ undone: true, purpose: 'order' }])
})

test('an order that was not proposed is found by its number (product 5.13)', async ({ page, server, operator }) => {
  const order = await askFor(server, '77.00')
  const account = await importWork(operator, 'Find', [{ amount: '77.00', payer: order.member.name, text: 'hello' }])
  await openDesk(page, account)
  await expect(amount(page)).toContainText('77.00 EUR')
  await page.keyboard.press('/')
  await dialog(page).getByRole('combobox', { name: 'Search orders' }).fill(order.number)
  await expect(dialog(page).getByRole('option')).toContainText([order.number])
  await page.keyboard.press('Enter')
  await expect(button(page, `Choose ${order.number}`)).toHaveAttribute('aria-pressed', 'true')
  await expect(candidate(page, order.number).getByRole('list', { name: 'Reasons' })).not.toBeEmpty()
  await applyButton(page).click()
  await expectToast(page, 'Payment Applied', order.number)
})

test('orders that fit equally are named, and none is chosen (product 5.13)', async ({ page, server, operator }) => {
  const one = await askFor(server, '66.00')
  const two = await askFor(server, '66.00')
  await server.sql('UPDATE orders SET member_id = (SELECT member_id FROM orders WHERE id = $1) WHERE id = $2', [
    one.id,
    two.id,
  ])
  const account = await importWork(operator, 'Tie', [{ amount: '66.00', payer: one.member.name, text: 'my order' }])
  await openDesk(page, account)
  await expect(line(page)).toContainText('2 orders fit equally')
  await expect(line(page).locator('[aria-pressed=true]')).toHaveCount(0)
  await expect(applyButton(page)).toBeDisabled()
  await page.keyboard.press('2')
  await expect(line(page).locator('[aria-pressed=true]')).toHaveCount(1)
  await expect(applyButton(page)).toBeEnabled()
})
