import type { Page } from '@playwright/test'
import { addAccount, fileOf, newNumber } from './support/statements.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'

test.use({ data: 'empty' })

const dialog = (page: Page) => page.getByRole('dialog')
const summary = (page: Page) => page.getByRole('region', { name: 'Latest statement' })
const files = (page: Page) => page.getByRole('region', { name: 'Imported files' }).getByRole('row')

test('rows that were not read stay in red until they are accepted (product 6.11)', async ({ page, operator }) => {
  const account = await addAccount(operator, `Unread ${newNumber()}`)
  await page.goto(`/reconciliation?account=${account.id}&tab=lines`)
  const csv =
    'Date;Amount;Text;Currency\n13/11/2026;1,25,000.00;ORD-1;EUR\n14/11/2026;1,250,00;ORD-2;EUR\n15/11/2026;x;;EUR\n'
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
  await expect(files(page).last()).toContainText('row 3: "1,250,00" is no amount')
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
