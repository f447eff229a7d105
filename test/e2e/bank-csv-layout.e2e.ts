import type { Page } from '@playwright/test'
import { addAccount, fileOf, newNumber } from './support/statements.ts'
import { expect, expectAccessible, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')

test('another row of headings has its columns guessed again (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Layout ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv = [
    'Datum;Betrag;Name;Zweck;Konto',
    'Summen;7,50;alle;;',
    'Name;Zweck;Buchungstag;Betrag;Währung',
    'Ana Lima;ORD-1;23.04.2026;5,00;EUR',
    'Rui Pires;ORD-2;24.04.2026;-2,50;EUR',
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

test('another delimiter has the columns guessed again (product 5.13)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Delimiter ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  // The commas within the text make more columns than the bars, and no headings.
  const csv = 'Date|Text, short, whole, or long|Amount\n13/11/2026|a, b, c, d|5.25\n14/11/2026|e, f, g, h|2.50\n'
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('bars.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import bars.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of bars.csv' })
  await expect(form.getByLabel('Delimiter')).toHaveValue('|')
  await form.getByLabel('Delimiter').selectOption(',')
  await expect(form.getByLabel('Meaning of column 1')).toHaveValue('')
  await form.getByLabel('Delimiter').selectOption('|')
  await expect(form.getByLabel('Meaning of column 1')).toHaveValue('bookedOn')
  await expect(form.getByLabel('Meaning of column 3')).toHaveValue('amount')
  await expect(form.getByLabel('Decimal sign')).toHaveValue('.')
})

test('words of signs and states are explained once, before anything is stored', async ({ page, operator }) => {
  const account = await addAccount(operator, `Words ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv = [
    'Datum;Name;Betrag;Richtung;Status',
    '23.04.2026;Ana Lima;15,00;Plus;Fertig',
    '24.04.2026;Rui Pires;2,50;Minus;Fertig',
    '25.04.2026;Zoe Hall;9,00;Plus;Wartet',
  ].join('\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('words.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import words.csv' }).click()
  const form = dialog(page).getByRole('region', { name: 'Columns of words.csv' })
  await expect(form.getByRole('list', { name: 'Open questions' })).toContainText('Which amounts are money out?')
  await form.getByLabel('Meaning of column 4').selectOption('Sign of the amount')
  const signs = form.getByRole('group', { name: 'Which of these is money out?' })
  const states = form.getByRole('group', { name: 'Which of these rows are booked?' })
  await signs.getByLabel('Minus').selectOption('Money out')
  await states.getByLabel('Fertig').selectOption('Booked')
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(signs.getByLabel('Plus')).toHaveAccessibleDescription('Choose one')
  await signs.getByLabel('Plus').selectOption('Money in')
  await states.getByLabel('Wartet').selectOption('Not booked')
  const trial = form.getByRole('region', { name: 'What would be imported' })
  await expect(trial).toContainText('2 lines to import. In 15.00, out 2.50 EUR')
  await expect(trial).toContainText('Left out, since they are not booked: 1 "Wartet"')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(dialog(page).getByRole('listitem').first()).toContainText('2 lines new')
})
