import type { Page } from '@playwright/test'
import { addAccount, fileOf, newNumber } from './support/statements.ts'
import { expect, expectAccessible, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')

test('another row of headings has its columns guessed anew (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Layout ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv = [
    'Datum;Betrag;Name;Zweck;Konto',
    'Summen;7,50;alle;;',
    'Name;Zweck;Buchungstag;Betrag;Währung',
    'Ana Lima;ORD-1;23.04.2026;5,00;EUR',
    'Rui Pires;ORD-2;24.04.2026;2,50;EUR',
  ].join('\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('two.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import two.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of two.csv' })
  const meaning = (column: number) => form.getByLabel(`Meaning of column ${column}`)
  await expect(meaning(1)).toHaveValue('bookedOn')
  await meaning(2).selectOption("Payer's reference")
  await form.getByLabel('Headings').selectOption('Row 3')
  await expect(meaning(3)).toHaveValue('bookedOn')
  await expect(meaning(4)).toHaveValue('amount')
  await expect(meaning(1)).toHaveValue('name')
  // Chosen by hand.
  await expect(meaning(2)).toHaveValue('endToEnd')
  await expectAccessible(page)
  await meaning(2).selectOption('Text')
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(dialog(page).getByRole('listitem').first()).toContainText('2 lines new')
})

test('another delimiter has the columns guessed anew (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Delimiter ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  // The commas within the text make more columns than the bars.
  const csv = 'Date|Text, short, whole, or long|Amount\n13/11/2026|a, b, c, d|5.25\n14/11/2026|e, f, g, h|2.50\n'
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('bars.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import bars.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of bars.csv' })
  await expect(form.getByLabel('Delimiter')).toHaveValue(',')
  await form.getByLabel('Delimiter').selectOption('|')
  await expect(form.getByLabel('Meaning of column 1')).toHaveValue('bookedOn')
  await expect(form.getByLabel('Meaning of column 3')).toHaveValue('amount')
  await expect(form.getByLabel('Decimal sign')).toHaveValue('.')
  await form.getByLabel('Delimiter').selectOption(',')
  await expect(form.getByLabel('Meaning of column 1')).toHaveValue('')
})
