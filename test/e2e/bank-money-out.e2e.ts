import type { APIRequestContext, Page } from '@playwright/test'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankAllocation, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import { expect, expectToast, test } from './support/harness.ts'
import {
  amount,
  applyButton,
  applyByEnter,
  askFor,
  button,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  readOrder,
  readAllocations,
  type BankEntry,
} from './support/desk.ts'

test.use({ data: 'empty' })

const search = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search payments' })
const options = (page: Page) => dialog(page).getByRole('option')
const split = (page: Page) => line(page).getByRole('region', { name: 'Split' })

/** Imports entries to an account of their own, and gives their lines in the same order. */
async function importLines(operator: APIRequestContext, name: string, entries: BankEntry[]) {
  const account = await importWork(operator, name, entries)
  const reply = await operator.get(`/api/bank/lines?accountId=${account.id}`)
  const { lines } = (await reply.json()) as { lines: BankLine[] }
  return { account, lines: entries.map((entry) => lines.find(({ remittance }) => remittance[0] === entry.text)!) }
}

async function give(
  operator: APIRequestContext,
  { id }: BankLine,
  ...allocations: NewAllocation[]
): Promise<BankAllocation[]> {
  const reply = await operator.post(`/api/bank/lines/${id}/allocations`, { data: { allocations } })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { allocations: BankAllocation[] }).allocations
}

const toRefund = (refunded: string): NewAllocation => ({ purpose: 'refund', amount: refunded, cause: 'overpaid' })

/** Chooses the refund of a payment that is searched for by its payer. */
async function findRefund(page: Page, payer: string) {
  await expect(search(page)).toBeFocused()
  await page.keyboard.type(payer)
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toContainText(`Pay back ${payer}`)
  await page.keyboard.press('Enter')
}

test('one transfer pays two refunds and a fee, by keyboard (product 5.13)', async ({ page, server, operator }) => {
  const { account, lines } = await importLines(operator, 'Collective', [
    { amount: '100.00', payer: 'Ines Prado', text: 'Sent twice' },
    { amount: '40.00', payer: 'Otto Kern', text: 'Too much' },
    { amount: '141.50', payer: 'Collective payout', text: 'Refunds of the week', direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, toRefund('100.00'))
  await give(operator, lines[1]!, toRefund('40.00'))
  await openDesk(page, account)
  await expect(amount(page)).toContainText('−141.50 EUR')
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('s')
  await expect(split(page)).toBeVisible()
  await page.keyboard.press('/')
  await findRefund(page, 'Ines Prado')
  const amounts = split(page).getByLabel(/^Amount for/)
  await expect(amounts.nth(0)).toBeFocused()
  await expect(amounts.nth(0)).toHaveValue('100.00')
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await findRefund(page, 'Otto Kern')
  await expect(amounts.nth(1)).toBeFocused()
  await expect(split(page).getByRole('status')).toContainText('1.50')
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await expect(amounts.nth(2)).toBeFocused()
  await expect(amounts.nth(2)).toHaveValue('1.50')
  await expect(split(page).getByLabel('Why it is put aside')).toHaveValue('fee')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Paid back · 100.00 EUR')
  const allocations = await readAllocations(server, account)
  expect(allocations.slice(0, 3).map(({ purpose, amount: each }) => [purpose, Number(each)])).toEqual([
    ['ignored', 1.5],
    ['refund', 40],
    ['refund', 100],
  ])
})

test('a refund less a fee closes what stays due (product 7.10)', async ({ page, server, operator }) => {
  const { account, lines } = await importLines(operator, 'Fees', [
    { amount: '100.00', payer: 'Mara Holm', text: 'Sent by mistake' },
    { amount: '98.50', payer: 'Payout 17', text: 'Back to the sender', direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, toRefund('100.00'))
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('/')
  await findRefund(page, 'Mara Holm')
  await expect(button(page, 'Choose the refund of the payment of 100.00 EUR')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('s')
  const field = split(page).getByLabel(/^Amount for the refund/)
  await expect(field).toHaveValue('98.50')
  await field.fill('98,505')
  await expect(field).toHaveAccessibleDescription(/can be read in two ways: write 98505/)
  await field.fill('98.505')
  await expect(field).toHaveAccessibleDescription('Must have at most 2 places')
  await expect(applyButton(page)).toBeDisabled()
  await field.fill('98,50')
  await expect(split(page).getByLabel('What stays due')).toHaveValue('')
  await split(page).getByLabel('What stays due').selectOption('1.50 closed: bank fee')
  await field.focus()
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Paid back · 98.50 EUR')
  const allocations = await readAllocations(server, account)
  expect(
    allocations.filter(({ undone }) => !undone).map(({ purpose, amount: each, code }) => [purpose, Number(each), code]),
  ).toEqual([
    ['refund', 98.5, null],
    ['ignored', 1.5, 'fee'],
    ['refund', 98.5, null],
  ])
})

test('what a bank takes beside a refund is proposed as its fee (product 5.13)', async ({ page, server, operator }) => {
  const { account, lines } = await importLines(operator, 'Beside', [
    { amount: '50.00', payer: 'Nils Brand', text: 'Paid too late' },
    { amount: '51.25', payer: 'Payout 18', text: 'With charges', direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, toRefund('50.00'))
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('/')
  await findRefund(page, 'Nils Brand')
  await expect(applyButton(page)).toHaveText(/^Apply and Split the Rest/)
  await applyByEnter(page)
  await expect(split(page).getByLabel('Amount for what is put aside')).toHaveValue('1.25')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Put aside: bank fee · 1.25 EUR')
  const allocations = await readAllocations(server, account)
  expect(allocations.slice(0, 2)).toMatchObject([{ purpose: 'ignored', code: 'fee' }, { purpose: 'refund' }])
})

test('undoing a reversal says what comes back, and what does not (product 7.10)', async ({
  page,
  server,
  operator,
}) => {
  const [kept, ended] = [await askFor(server, '100.00'), await askFor(server, '250.00')]
  const { account, lines } = await importLines(operator, 'Returns', [
    payFor(kept, '100.00', { daysAgo: 3 }),
    payFor(ended, '250.00', { daysAgo: 3 }),
    { amount: '100.00', payer: kept.member.name, text: 'First return', direction: 'DBIT' },
    { amount: '250.00', payer: ended.member.name, text: 'Second return', direction: 'DBIT' },
  ])
  for (const [at, order] of [kept, ended].entries()) {
    const [credit, debit] = [lines[at]!, lines[at + 2]!]
    await give(operator, credit, { purpose: 'order', orderId: order.id, amount: credit.amount })
    await give(operator, debit, { purpose: 'reversal', lineId: credit.id, amount: debit.amount })
  }
  await server.sql(
    `UPDATE orders SET status = 'expired', expires_at = now() - interval '9 days', created_at = now() - interval '20 days'
     WHERE id = $1`,
    [ended.id],
  )
  await openDesk(page, account, `&line=${lines[2]!.id}`)
  await button(page, 'Undo 100.00 EUR Taken back by the bank').click()
  await expect(dialog(page)).toContainText(`${kept.number} has its 100.00 EUR again.`)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Undone', `${kept.number} has its 100.00 EUR again`)
  expect(await readOrder(server, kept)).toMatchObject({ status: 'paid', received: '100.00' })

  await openDesk(page, account, `&line=${lines[3]!.id}`)
  await button(page, 'Undo 250.00 EUR Taken back by the bank').click()
  await expect(dialog(page)).toContainText(
    new RegExp(`${ended.number} expired on .*: the 250.00 EUR stay open on the line of`),
  )
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Undone', /the 250.00 EUR stay open/)
  expect(await readOrder(server, ended)).toMatchObject({ status: 'expired', received: '0.00' })
})

test('a refund to another account needs a reason first (product 7.10)', async ({ page, operator }) => {
  const { account, lines } = await importLines(operator, 'Elsewhere', [
    { amount: '28.50', payer: 'Paul Stein', text: 'Twice', iban: 'DE02120300000000202051' },
    { amount: '28.50', payer: 'Nina Roth', text: 'Back', iban: 'PT50000201231234567890154', direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, toRefund('28.50'))
  await openDesk(page, account)
  await expect(amount(page)).toContainText('−28.50 EUR')
  await page.keyboard.press('/')
  await findRefund(page, 'Paul Stein')
  const words =
    'This pays money of Paul Stein (DE02120300000000202051) to the account of Nina Roth (PT50000201231234567890154)'
  const reason = line(page).getByLabel('Reason', { exact: true })
  await expect(line(page).getByRole('button', { pressed: true })).toHaveAccessibleDescription(
    new RegExp(words.replaceAll(/[()]/g, '.')),
  )
  await expect(reason).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(reason).toBeFocused()
  await page.keyboard.press('Escape')
  await button(page, 'Split').click()
  await expect(line(page).getByText(words)).toBeVisible()
  await expect(applyButton(page)).toBeDisabled()
  await reason.fill('His wife, by his letter')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Paid back · 28.50 EUR')
})

test('a payment of another is taken back with a reason (product 7.10)', async ({ page, operator }) => {
  const { account } = await importLines(operator, 'Strangers', [
    { amount: '31.00', payer: 'Paula Ebert', text: 'Office', iban: 'DE02120300000000202051' },
    { amount: '31.00', payer: 'Min-jun Kim', text: 'Out', iban: 'PT50000201231234567890154', direction: 'DBIT' },
  ])
  const { lines } = await importLines(operator, 'Elsewhere kept', [
    { amount: '31.00', payer: 'Paula Ebert', text: 'Office again', iban: 'DE02120300000000202051' },
  ])
  expect(lines).toHaveLength(1)
  await openDesk(page, account)
  await page.getByRole('listitem').filter({ hasText: 'Min-jun Kim' }).first().click()
  await expect(amount(page)).toContainText('−31.00 EUR')
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('Paula Ebert')
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toContainText(/to Strangers \d+, from DE02 1203 0000 0000 2020 51/)
  await page.keyboard.press('Enter')
  await expect(line(page).getByText('The money went to another than the payer')).toBeVisible()
  const reason = line(page).getByLabel('Reason', { exact: true })
  await expect(reason).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(reason).toBeFocused()
  await reason.fill('Told by the bank')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Taken back by the bank · 31.00 EUR')
})

test('what the bank takes back of a completed order is owed (product 7.4)', async ({ page, server, operator }) => {
  const order = await askFor(server, '64.00')
  const { account, lines } = await importLines(operator, 'Chargebacks', [
    payFor(order, '64.00', { daysAgo: 3 }),
    { amount: '64.00', payer: order.member.name, text: `Return ${order.number}`, direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, { purpose: 'order', orderId: order.id, amount: '64.00' })
  await server.sql(
    `UPDATE orders SET status = 'completed', completed_at = now(), version = version + 1 WHERE id = $1`,
    [order.id],
  )
  await openDesk(page, account)
  await expect(line(page).getByText('Its order is completed and stays so: the money is then owed')).toBeVisible()
  // A press before that would be ignored.
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', 'Taken back by the bank · 64.00 EUR')
  expect(await readOrder(server, order)).toMatchObject({ status: 'completed', received: '0.00' })
  await page.goto(`/orders/${order.id}`)
  const payments = page.getByRole('region', { name: 'Payments' })
  await expect(payments).toContainText('The bank took 64.00 EUR back after this order was completed.')
  const instructions = page.getByRole('region', { name: 'Payment Instructions' })
  await expect(instructions).toContainText('64.00 EUR is owed, which the bank took back; no code asks for it.')
  await expect(instructions).not.toContainText('Nothing more is asked for')
  await expect(page.getByText('Completed').first()).toBeVisible()
  await page.goto('/orders')
  await expect(page.getByText('64.00 taken back')).toBeVisible()
})

test('an order marked paid by hand says what the bank took back (product 9.10)', async ({ page, server, operator }) => {
  const order = await askFor(server, '65.00')
  const paid = await operator.patch(`/api/orders/${order.id}/status`, { data: { status: 'paid' } })
  expect(paid.ok(), await paid.text()).toBe(true)
  const { lines } = await importLines(operator, 'Attached', [
    payFor(order, '65.00', { daysAgo: 3 }),
    { amount: '65.00', payer: order.member.name, text: `Return ${order.number}`, direction: 'DBIT' },
  ])
  await give(operator, lines[0]!, { purpose: 'order', orderId: order.id, amount: '65.00' })
  await give(operator, lines[1]!, { purpose: 'reversal', lineId: lines[0]!.id, amount: '65.00' })
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByRole('region', { name: 'Payments' })).toContainText(
    'The bank took 65.00 EUR back that was attached to this order. It was marked paid by hand and stays paid',
  )
})
