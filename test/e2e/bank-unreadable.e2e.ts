import type { Page } from '@playwright/test'
import { camtFile } from '#test/support/bank-files.ts'
import { putAllAside } from './support/bank.ts'
import { importWork } from './support/desk.ts'
import { addAccount, fileOf, importDirectly, newNumber, payment } from './support/statements.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')
const summary = (page: Page) => page.getByRole('region', { name: 'Latest statement' })
const files = (page: Page) => page.getByRole('region', { name: 'Imported files' }).getByRole('row')

test('accounts are called reconciled only where balances prove it (product 5.13)', async ({ page, operator }) => {
  const entries = [{ amount: '5.00', payer: 'Rui', text: 'club' }]
  const proven = await importWork(operator, 'Proven', entries)
  await putAllAside(operator)
  await page.goto('/reconciliation')
  await expect(page.getByRole('heading', { name: `${proven.name} is reconciled` })).toBeVisible()
  // The desk would open the line that comes, and hold it.
  await page.goto('/account')
  const plain = await addAccount(operator, `Plain ${newNumber()}`)
  const file = camtFile(payment('7.00', 'Eva', 'club'), { iban: 'X' }).replace(
    '<IBAN>X</IBAN>',
    `<Othr><Id>${plain.account}</Id></Othr>`,
  )
  await importDirectly(operator, 'plain.xml', file)
  await putAllAside(operator)
  await page.goto(`/reconciliation?account=${plain.id}`)
  await expect(page.getByRole('heading', { name: `Nothing is left to do on ${plain.name}` })).toBeVisible()
  await expect(page.getByText('The bank states no balances that would prove it.')).toBeVisible()
  await page.goto('/reconciliation')
  await expect(page.getByRole('heading', { name: 'some accounts have no balances that prove it' })).toBeVisible()
})

test('a file above 50 MB is refused before it is sent (product 9.9)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Large ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  await expect(summary(page)).toContainText('No statement was imported yet.')
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(50 * 1024 * 1024 + 1)], 'large.xml'))
    return data
  })
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(dialog(page)).toContainText('A statement file has at most 50 MB and 100,000 lines')
})

test('rows that were not read stay in red until they are accepted (product 6.11)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Unread ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv =
    'Date;Amount;Text;Currency\n13/11/2026;+1,25,000.00;ORD-1;EUR\n14/11/2026;1,250,00;ORD-2;EUR\n15/11/2026;x;;EUR\n'
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog(page)
    .getByLabel('Statement files')
    .setInputFiles([fileOf('in.csv', csv)])
  await dialog(page).getByRole('button', { name: 'Import in.csv' }).click()
  await dialog(page).getByRole('button', { name: 'Confirm and Import' }).click()
  await expect(dialog(page).getByRole('listitem').first()).toContainText('1 line new')
  await dialog(page).getByRole('button', { name: 'Close' }).click()

  const unread = summary(page).getByRole('link', { name: '2 parts of in.csv not read' })
  await expect(unread).toBeVisible()
  await unread.click()
  await expect(page).toHaveURL(/tab=imports/)
  await expect(files(page).last()).toContainText('row 3: "1,250,00" is not an amount')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Accept what was not read of in.csv' }).click()
  await dialog(page).getByLabel('Reason').fill('Both are totals')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Accept' }).click()
  await expectToast(page, 'Unread rows accepted', 'in.csv')
  await expect(unread).toHaveCount(0)
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await expect(files(page).last()).toContainText('What was not read accepted by grace: Both are totals')
})
