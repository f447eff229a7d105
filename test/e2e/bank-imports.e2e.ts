import type { APIRequestContext, Page } from '@playwright/test'
import { openAddAccount } from './support/desk.ts'
import { camtBalance } from '#test/support/bank-files.ts'
import { addAccount, fileOf, importDirectly, newNumber, payment, statementOf } from './support/statements.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')
const summary = (page: Page) => page.getByRole('region', { name: 'Latest statement' })
const rows = (page: Page, label: string) =>
  page
    .getByRole('region', { name: label })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** A statement with its number, of one day. */
const numbered = (account: string, number: string, from: string, to: string, day: string, ...entries: string[]) =>
  statementOf(account, from, to, ...entries)
    .replace(camtBalance('OPBD', from), `<LglSeqNb>${number}</LglSeqNb>${camtBalance('OPBD', from)}`)
    .replaceAll('2026-11-03', day)
    .replace('<Id>1</Id>', `<Id>${number}</Id>`)

test('an import of the wrong account is undone, and imported again (product 6.11)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Undone ${newNumber()}`)
  const file = statementOf(account.account, '0.00', '5.00', payment('5.00', 'Rui', 'wrong'))
  await importDirectly(operator, 'wrong.xml', file)
  await page.goto(`/reconciliation?account=${account.id}&tab=imports`)
  await expect(rows(page, 'Imported files')).toHaveCount(1)
  await expect(rows(page, 'Imported files')).toContainText('1 new')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo the import of wrong.xml' }).click()
  await expect(dialog(page)).toContainText('the 1 line that it brought')
  await expect(dialog(page).getByRole('button', { name: 'Undo Import' })).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('The file of another account')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Undo Import' }).click()
  await expectToast(page, 'Import undone', 'wrong.xml')
  await expect(rows(page, 'Imported files')).toContainText(/Undone.*by grace: The file of another account/)
  await expect(page.getByRole('button', { name: 'Undo the import of wrong.xml' })).toHaveCount(0)
  await expect(summary(page)).toContainText('No statement was imported yet.')
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('again.xml', file)])
  await expect(dialog(page).getByRole('listitem').first()).toContainText('1 line new')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(rows(page, 'Imported files')).toHaveCount(2)
})

/** Imports a file of one line into an account of its own, and gives the line a purpose when that is called for. */
async function importOneLine(operator: APIRequestContext) {
  const account = await addAccount(operator, `Worked ${newNumber()}`)
  const file = statementOf(account.account, '0.00', '5.00', payment('5.00', 'Rui', 'worked'))
  await importDirectly(operator, 'worked.xml', file)
  const listed = await operator.get(`/api/bank/lines?accountId=${account.id}`)
  const [line] = ((await listed.json()) as { lines: { id: string }[] }).lines
  const allocations = [{ purpose: 'ignored', amount: '5.00', code: 'fee' }]
  const work = async () =>
    expect((await operator.post(`/api/bank/lines/${line!.id}/allocations`, { data: { allocations } })).ok()).toBe(true)
  return { account, work }
}

test('an undo that will be refused says so before a reason is typed (product 5.13)', async ({ page, operator }) => {
  const { account, work } = await importOneLine(operator)
  await work()
  await page.goto(`/reconciliation?account=${account.id}&tab=imports`)
  await page.getByRole('button', { name: 'Undo the import of worked.xml' }).click()
  await expect(dialog(page)).toHaveAccessibleName('This import can’t be undone')
  await expect(dialog(page).getByRole('alert')).toContainText('1 line of it has a purpose')
  await expect(dialog(page).getByLabel('Reason')).toHaveCount(0)
  await expect(dialog(page).getByRole('button', { name: 'Undo Import' })).toBeDisabled()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  await dialog(page)
    .getByRole('link', { name: /Rui.*5\.00 EUR/ })
    .click()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Put aside: bank fee')
})

test('the refusal of an import that was worked meanwhile stays to be read (product 9.9)', async ({
  page,
  operator,
}) => {
  const { account, work } = await importOneLine(operator)
  await page.goto(`/reconciliation?account=${account.id}&tab=imports`)
  await page.getByRole('button', { name: 'Undo the import of worked.xml' }).click()
  await dialog(page).getByLabel('Reason').fill('A slip')
  await expect(dialog(page).getByRole('button', { name: 'Undo Import' })).toBeEnabled()
  await work()
  await dialog(page).getByRole('button', { name: 'Undo Import' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('1 line of it has a purpose')
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('A slip')
})

test('the head of an account leads to what does not hold, and it is accepted (product 5.13)', async ({
  page,
  operator,
}) => {
  const account = await addAccount(operator, `Gaps ${newNumber()}`)
  const { account: number } = account
  await importDirectly(
    operator,
    '1.xml',
    numbered(number, '1', '0.00', '5.00', '2026-11-02', payment('5.00', 'A', '1')),
  )
  await importDirectly(
    operator,
    '2.xml',
    numbered(number, '2', '5.00', '9.00', '2026-11-03', payment('3.00', 'B', '2')),
  )
  await importDirectly(
    operator,
    '4.xml',
    numbered(number, '4', '20.00', '21.00', '2026-11-05', payment('1.00', 'C', '4')),
  )
  await page.goto(`/reconciliation?account=${account.id}`)
  const problems = summary(page).getByRole('list', { name: 'Statements to look at' })
  await expect(problems.getByRole('listitem')).toHaveText(['−1.00 in no. 2', 'Gap of 11.00 before no. 4'])
  await problems.getByRole('link', { name: 'Gap of 11.00' }).click()
  await expect(page).toHaveURL(/attention=gap/)
  await expect(rows(page, 'Bank statements')).toHaveCount(1)
  await expect(rows(page, 'Bank statements')).toContainText('The one before is missing')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Accept the gap before 4' }).click()
  await dialog(page).getByLabel('Reason').fill('The bank left number 3 out')
  await dialog(page).getByRole('button', { name: 'Accept Gap' }).click()
  await expectToast(page, 'Gap accepted', account.name)
  await expect(problems.getByRole('listitem')).toHaveText(['−1.00 in no. 2'])
  await problems.getByRole('link').click()
  await expect(rows(page, 'Bank statements')).toHaveCount(1)
  await page.getByRole('button', { name: 'Accept the difference in 2' }).click()
  await dialog(page).getByLabel('Reason').fill('The bank corrects it')
  await dialog(page).getByRole('button', { name: 'Accept Difference' }).click()
  await expectToast(page, 'Difference accepted', account.name)
  await expect(problems).toHaveCount(0)
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await expect(rows(page, 'Bank statements')).toHaveCount(3)
  await expect(rows(page, 'Bank statements').first()).toContainText('accepted by grace: The bank left number 3 out')
  await expect(rows(page, 'Bank statements').nth(1)).toContainText('Difference accepted by grace: The bank corrects it')
})

test('a column that may be an account is a question (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Columns ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv =
    'Buchungstag;Betrag;Name;Zweck;Konto\n23.04.2026;15,00;Ana Lima;ORD-1;0532013000\n24.05.2026;-2,50;Rui;ORD-2;0532013000\n'
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('konto.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import konto.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of konto.csv' })
  await expect(form.getByRole('list', { name: 'Open questions' })).toContainText(
    'They may have an account, a text or a fee',
  )
  await expect(form.getByLabel('Meaning of column 4')).toHaveValue('remittance')
  const konto = form.getByLabel('Meaning of column 5')
  await expect(konto.locator('option:checked')).toHaveText('Choose')
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(konto).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await konto.selectOption('Account of the payer or payee')
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(dialog(page).getByRole('listitem').first()).toContainText('2 lines new')
})

test('an account that is added out of a refusal takes the file at once (product 5.13)', async ({ page, operator }) => {
  await addAccount(operator, `Others ${newNumber()}`)
  const [number, name] = [newNumber(), `Added ${newNumber()}`]
  await page.goto('/reconciliation?tab=lines')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const file = statementOf(number, '0.00', '5.00', payment('5.00', 'Rui', 'added'))
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('added.xml', file)])
  await expect(dialog(page).getByRole('alert')).toContainText('is not one of your accounts: add it first')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Add Account: added.xml' }).click()
  const form = page.getByRole('dialog', { name: 'Add Account' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await expect(form.getByLabel('IBAN or account number')).toHaveValue(number)
  await expect(form.getByLabel('Currency')).toHaveValue('EUR')
  await expectAccessible(page)
  await form.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Bank account added', name)
  await expect(dialog(page).getByRole('listitem').first()).toContainText('1 line new')
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
})

test('the account of a CSV file can be added where it is asked for (product 5.13)', async ({ page, operator }) => {
  const [number, name] = [newNumber(), `Added ${newNumber()}`]
  await addAccount(operator, `Others ${newNumber()}`)
  await page.goto('/reconciliation?tab=lines')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('added.csv', 'Tag;Betrag;Name\n23.04.2026;15,00;Ana Lima\n')])
  await dialog(page).getByRole('button', { name: 'Add Account: added.csv' }).click()
  const form = page.getByRole('dialog', { name: 'Add Account' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('IBAN or account number').fill(number)
  await form.getByRole('button', { name: 'Add Account' }).click()
  await expect(dialog(page).getByRole('region', { name: 'Columns of added.csv' })).toContainText(name)
})

test('a CSV file of another account says whose it is, and asks for the account again (product 9.9)', async ({
  page,
  operator,
}) => {
  const [one, two] = [`One ${newNumber()}`, `Two ${newNumber()}`]
  const account = await addAccount(operator, one)
  const other = await addAccount(operator, two)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv = `Kontonummer:;${other.account}\nTag;Betrag;Name\n03.04.2026;15,00;Ana Lima\n`
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('other.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import other.csv' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(`your account ${two}, and not of`)
  await expect(dialog(page).getByLabel('Account of other.csv')).toHaveValue(account.id)
  await dialog(page).getByLabel('Account of other.csv').selectOption(other.id)
  await dialog(page).getByRole('button', { name: 'Import other.csv' }).click()
  await expect(dialog(page).getByRole('region', { name: 'Columns of other.csv' })).toBeVisible()
})

test('an IBAN with wrong check digits is told while it is typed (product 6.11)', async ({ page }) => {
  await page.goto('/reconciliation')
  await openAddAccount(page)
  const field = dialog(page).getByLabel('IBAN or account number')
  await field.fill('DE89 3704 0044 0532 0130 01')
  await expect(field).toHaveAccessibleDescription(/the check digits of this IBAN do not fit/)
  await dialog(page).getByLabel('Name').fill('Wrong')
  await dialog(page).getByRole('button', { name: 'Add Account' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('the check digits of this IBAN do not fit')
  await field.fill('0532013001')
  await expect(field).toHaveAccessibleDescription('')
})

test("a payer's IBAN with wrong check digits is marked on its line (product 5.13)", async ({ page, operator }) => {
  const account = await addAccount(operator, `Payers ${newNumber()}`)
  const wrong = payment('5.00', 'Rui', 'digits').replace(
    '</RltdPties>',
    '<DbtrAcct><Id><IBAN>DE89370400440532013001</IBAN></Id></DbtrAcct></RltdPties>',
  )
  await importDirectly(operator, 'digits.xml', statementOf(account.account, '0.00', '5.00', wrong))
  await page.goto(`/reconciliation?account=${account.id}`)
  const text = page.getByRole('region', { name: 'Text of the payment' })
  await expect(text).toContainText('DE89 3704 0044 0532 0130 01')
  await expect(text).toContainText('the check digits of this IBAN do not fit')
})
