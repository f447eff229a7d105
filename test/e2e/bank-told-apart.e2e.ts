import {
  accountMenu,
  amount,
  askFor,
  candidate,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  rows,
  writeStatement,
} from './support/desk.ts'
import { addAccount, importDirectly, newNumber, payment, statementOf } from './support/statements.ts'
import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import { camtBalance } from '#test/support/bank-files.ts'

test.use({ data: 'empty' })

test('Enter in a list of the refund dialog confirms it (product 5.13)', async ({ page, operator }) => {
  const account = await importWork(operator, 'Refund keys', [{ amount: '12.00', payer: 'Nobody Known', text: 'x' }])
  await openDesk(page, account)
  await expect(line(page).getByText('No candidate')).toBeVisible()
  await page.keyboard.press('r')
  const cause = dialog(page).getByLabel('Cause')
  await expect(cause).toBeFocused()
  await cause.selectOption('Paid twice')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Payment Applied', '12.00 EUR')
})

test('a line whose import is undone meanwhile decides nothing any more (product 5.13)', async ({ page, operator }) => {
  const account = await importWork(operator, 'Gone', [
    { amount: '13.00', payer: 'Somebody', text: 'x' },
    { amount: '14.00', payer: 'Somebody', text: 'y' },
  ])
  const staying = writeStatement(account.account, [{ amount: '15.00', payer: 'Somebody', text: 'z', daysAgo: 1 }])
  await importDirectly(operator, 'staying.xml', staying)
  await openDesk(page, account)
  await rows(page).filter({ hasText: '13.00' }).click()
  await expect(amount(page)).toContainText('13.00 EUR')
  await expectLive(page)
  const { imports } = (await (await operator.get(`/api/bank/imports?accountId=${account.id}`)).json()) as {
    imports: { id: string; fileName: string }[]
  }
  const { id } = imports.find(({ fileName }) => fileName !== 'staying.xml')!
  const undone = await operator.post(`/api/bank/imports/${id}/undo`, { data: { reason: 'Wrong file' } })
  expect(undone.ok(), await undone.text()).toBe(true)
  await expect(page.getByRole('alert').filter({ hasText: 'was undone meanwhile' })).toBeVisible()
  await expect(line(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('two equal payments for one order each name the other (product 5.13)', async ({ page, server, operator }) => {
  const order = await askFor(server, '415.00')
  const account = await importWork(operator, 'Equal', [payFor(order, '415.00'), payFor(order, '415.00')])
  const judged = `SELECT 1 FROM bank_lines WHERE account_id = $1 AND proposed_orders <> '{}'`
  await expect.poll(async () => (await server.sql(judged, [account.id])).length).toBe(2)
  await openDesk(page, account)
  const other = candidate(page, order.number).getByText(/Another open payment of this amount is proposed for it too/)
  await expect(other).toBeVisible()
  await page.keyboard.press('j')
  await expect(other).toBeVisible()
  // One of them can pay the order, and the list says of how many.
  await expect(page.getByRole('button', { name: 'Review 2 Exact' })).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialog(page).getByRole('heading', { level: 2 })).toHaveText('Apply 1 of 2 lines that fit exactly')
})

test('accounts of one name are told apart in their menu (product 5.13)', async ({ page, operator }) => {
  const name = `Twins ${newNumber()}`
  const accounts = [await addAccount(operator, name), await addAccount(operator, name)]
  await page.goto('/reconciliation')
  await accountMenu(page).click()
  for (const { account } of accounts)
    await expect(page.getByRole('menuitemradio', { name: `${name} · ${account.slice(-4)}` })).toBeVisible()
})

test('an import says at once that a statement contradicts another (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Edition ${newNumber()}`)
  const numbered = (number: string, from: string, to: string, day: string, paid: string) =>
    statementOf(account.account, from, to, payment(paid, 'A', number))
      .replace(camtBalance('OPBD', from), `<LglSeqNb>${number}</LglSeqNb>${camtBalance('OPBD', from)}`)
      .replaceAll('2026-11-03', day)
      .replace('<Id>1</Id>', `<Id>${number}</Id>`)
  await importDirectly(operator, '208.xml', numbered('208', '0.00', '380.00', '2026-11-02', '380.00'))
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([
      {
        name: '209.xml',
        mimeType: 'text/xml',
        buffer: Buffer.from(numbered('209', '381.00', '382.00', '2026-11-03', '1.00')),
      },
    ])
  await expect(dialog(page).getByRole('list', { name: 'Check' })).toContainText('−1.00 in no. 208')
  await expectAccessible(page)
})
