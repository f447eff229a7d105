import type { Page } from '@playwright/test'
import { addAccount, fileOf, importDirectly, newNumber, payment, statementOf } from './support/statements.ts'
import { accountMenu, openAddAccount, pressInAccountMenu } from './support/desk.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
const rows = (page: Page, label = 'Bank lines') =>
  page
    .getByRole('region', { name: label })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const item = (page: Page, fileName: string) => dialog(page).getByRole('listitem').filter({ hasText: fileName }).first()

async function importFiles(page: Page, ...files: ReturnType<typeof fileOf>[]) {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page).getByLabel('Statement files').setInputFiles(files)
}

test('a bank account is added, renamed and switched off (product 5.13)', async ({ page }) => {
  const [number, name] = [newNumber(), `Clients ${newNumber()}`]
  await page.goto('/reconciliation')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reconciliation')
  await openAddAccount(page)
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Add Account' }).click()
  await expect(dialog(page).getByLabel('Name')).toHaveAccessibleDescription('Required')
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('IBAN or account number').fill(number)
  await dialog(page).getByRole('button', { name: 'Add Account' }).click()
  await expectToast(page, 'Bank account added', name)
  await expect(accountMenu(page, name)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Latest statement' })).toContainText('No statement was imported yet.')

  await pressInAccountMenu(page, `Edit ${name}`)
  await dialog(page).getByLabel('Name').fill(`${name} old`)
  await dialog(page).getByLabel('Active: takes statements').uncheck()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Bank account saved', `${name} old`)
  await expect(accountMenu(page, `${name} old`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Latest statement' })).toContainText('Switched off')
})

test('a chosen statement file shows its balances, statements and lines (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Chosen ${newNumber()}`)
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  const file = statementOf(
    account.account,
    '100.00',
    '1235.50',
    payment('1234.50', 'Ana Lima', 'ORD-010240'),
    payment('99.00', 'Grid Company', 'Fees', 'DBIT'),
  )
  await importFiles(page, fileOf('november.xml', file))
  await expect(item(page, 'november.xml')).toContainText('2 lines new')
  await expect(item(page, 'november.xml')).toContainText('0.00')
  await dialog(page).getByRole('button', { name: 'Close' }).click()

  const summary = page.getByRole('region', { name: 'Latest statement' })
  for (const text of ['Opening100.00', '1,234.50', '99.00', '1,235.50', 'Difference0.00'])
    await expect(summary).toContainText(text)
  await summary.getByRole('button', { name: /^Details$|over 2 days$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Details of the account' })).toContainText('by grace')
  await page.keyboard.press('Escape')
  await expect(accountMenu(page, account.name)).toContainText('2 to do')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).filter({ hasText: 'Ana Lima' })).toContainText('+1,234.50 EUR')
  await expect(rows(page).filter({ hasText: 'Grid Company' })).toContainText('−99.00 EUR')
  await expect(rows(page).first()).toContainText('Open')

  await tab(page, 'Statements').click()
  await expect(page).toHaveURL(/tab=statements/)
  await expect(rows(page, 'Bank statements')).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download november.xml' }).click()
  expect((await download).suggestedFilename()).toBe('november.xml')
})

test('a file that was imported before is named with who imported it (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Again ${newNumber()}`)
  const file = statementOf(account.account, '0.00', '5.00', payment('5.00', 'Rui', 'once'))
  await importDirectly(operator, 'first.xml', file)
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  await importFiles(page, fileOf('second.xml', file))
  await expect(item(page, 'second.xml')).toContainText(/This file was imported by joan on .*: 1 line/)
})

test('a damaged file is refused in words, and the files after it are imported (product 5.13)', async ({
  page,
  operator,
}) => {
  const account = await addAccount(operator, `Damaged ${newNumber()}`)
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  const good = statementOf(account.account, '0.00', '7.00', payment('7.00', 'Rui', 'after'))
  await importFiles(page, fileOf('damaged.xml', good.slice(0, -60)), fileOf('good.xml', good))
  await expect(item(page, 'damaged.xml').getByRole('alert')).toContainText('the file is damaged')
  await expect(item(page, 'good.xml')).toContainText('1 line new')
})

test('files dropped anywhere on the page are imported (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Dropped ${newNumber()}`)
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  await expect(tab(page, 'Lines')).toBeVisible()
  const file = statementOf(account.account, '0.00', '8.00', payment('8.00', 'Rui', 'dropped'))
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([content], 'dropped.xml', { type: 'text/xml' }))
    return data
  }, file)
  await page.getByRole('main').dispatchEvent('dragover', { dataTransfer: transfer })
  await expect(page.getByText('Drop statement files to import them')).toBeVisible()
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(item(page, 'dropped.xml')).toContainText('1 line new')
  await expect(page.getByText('Drop statement files to import them')).toBeHidden()
})

test('a CSV file asks for what it does not tell, once for each account (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Tables ${newNumber()}`)
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  const csv = 'Buchungstag;Betrag;Name;Verwendungszweck\n03.04.2026;1.500;Ana Lima;ORD-1\n04.05.2026;-2.500;Rui;ORD-2\n'
  await importFiles(page, fileOf('april.csv', csv))
  await expect(dialog(page).getByLabel('Account of april.csv')).toHaveValue(account.id)
  await dialog(page).getByRole('button', { name: 'Import april.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of april.csv' })
  await expect(form.getByRole('list', { name: 'Open questions' })).toContainText('decimals')
  await expect(form.getByLabel('Meaning of column 1')).toHaveValue('bookedOn')
  await expect(form.getByRole('table')).toContainText('Ana Lima')
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(form.getByLabel('Decimal sign')).toHaveAccessibleDescription('Choose one')
  await form.getByLabel('Decimal sign').selectOption(',')
  if ((await form.getByLabel('Order of dates').inputValue()) === '')
    await form.getByLabel('Order of dates').selectOption('dmy')
  await expect(form.getByRole('region', { name: 'What would be imported' })).toContainText(
    '2 lines to import. In 1,500.00, out 2,500.00 EUR',
  )
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(item(page, 'april.csv')).toContainText('In 1,500.00, out 2,500.00 EUR')
  await expect(item(page, 'april.csv')).toContainText('2 lines new')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(rows(page).filter({ hasText: 'Ana Lima' })).toContainText('+1,500.00 EUR')
  await pressInAccountMenu(page, `Edit ${account.name}`)
  await dialog(page).getByLabel('Forget the confirmed columns of its CSV files').check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Bank account saved')
})

test('a line of a CSV file that is known is imported anyway (product 5.13)', async ({ page, operator }) => {
  const columns = { bookedOn: 0, amount: 1, name: 2 }
  const csvProfile = { encoding: 'utf-8', delimiter: ';', headerRow: 0, columns, decimalSign: ',', dateOrder: 'dmy' }
  const account = await addAccount(operator, `Known ${newNumber()}`, { csvProfile })
  const csv = 'Tag;Betrag;Name\n03.04.2026;15,00;Ana Lima\n04.04.2026;16,00;Rui\n'
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  await importFiles(page, fileOf('one.csv', csv), fileOf('two.csv', `${csv}05.04.2026;17,00;Zoe\n`))
  await dialog(page).getByRole('button', { name: 'Import one.csv' }).click()
  await expect(item(page, 'one.csv')).toContainText('2 lines new')
  await dialog(page).getByRole('button', { name: 'Import two.csv' }).click()
  await expect(item(page, 'two.csv')).toContainText('1 line new, 2 known before')
  const known = item(page, 'two.csv').getByRole('list', { name: 'Known before' }).getByRole('listitem')
  await expect(known).toHaveCount(2)
  await expect(known.first()).toContainText('Ana Lima')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Import Anyway: row 2' }).click()
  await expect(item(page, 'two.csv')).toContainText('2 lines new, 1 known before')
  await expect(known).toHaveText([/Row 3.*Rui/])
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(rows(page).filter({ hasText: 'Ana Lima' })).toHaveCount(2)
})

test('lines are searched and filtered in the address bar (product 5.13, 4.3)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Filtered ${newNumber()}`)
  const entries = [payment('11.00', 'Ana Lima', 'harbour'), payment('12.00', 'Grid Company', 'fees', 'DBIT')]
  await importDirectly(operator, 'filtered.xml', statementOf(account.account, '5.00', '4.00', ...entries))
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Direction filter').selectOption('Money out')
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/direction=debit/)
  await page.reload()
  await expect(rows(page)).toHaveText([/Grid Company/])
  await page.getByLabel('Direction filter').selectOption('In and Out')
  await page.getByRole('searchbox').fill('harbour')
  await expect(rows(page)).toHaveText([/Ana Lima/])
  await page.getByLabel('State filter').selectOption('Settled')
  await expect(page.getByRole('region', { name: 'Bank lines' })).toContainText('No line matches')
})

test('a line opens in Peek by a press, and at the desk by Enter (product 5.13, 5.19)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Opened ${newNumber()}`)
  const entries = [payment('11.00', 'Ana Lima', 'harbour'), payment('12.00', 'Grid Company', 'quay')]
  await importDirectly(operator, 'opened.xml', statementOf(account.account, '5.00', '28.00', ...entries))
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  await rows(page).filter({ hasText: 'Grid Company' }).getByText('quay').click()
  const peek = page.getByRole('complementary', { name: 'Peek: 12.00 EUR' })
  await expect(peek.getByRole('region', { name: 'Text of the payment' })).toContainText('quay')
  await expect(peek).toContainText('12.00 EUR of it open')
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('complementary', { name: 'Peek: 11.00 EUR' })).toContainText('harbour')
  await page.goBack()
  await expect(page).toHaveURL(/tab=lines/)
  await rows(page).filter({ hasText: 'Ana Lima' }).getByRole('link').press('Enter')
  await expect(page).toHaveURL(/line=\d+/)
  await expect(page.getByText('Ana Lima').first()).toBeVisible()
})

test('screen and dialogs of the bank are accessible', async ({ page, operator }) => {
  const account = await addAccount(operator, `Accessible ${newNumber()}`)
  const file = statementOf(account.account, '1.00', '9.99', payment('3.00', 'Ana Lima', 'accessible'))
  await page.goto(`/reconciliation?tab=lines&account=${account.id}`)
  await importFiles(page, fileOf('one.xml', file), fileOf('bad.xml', '<Document>'), fileOf('a.csv', 'a;b\n1;2\n'))
  await expect(item(page, 'bad.xml').getByRole('alert')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Import a.csv' }).click()
  await expect(dialog(page).getByRole('region', { name: 'Columns of a.csv' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  await page.goto(`/reconciliation?account=${account.id}&tab=statements`)
  await expect(rows(page, 'Bank statements')).toHaveCount(1)
  await expectAccessible(page)
})
