import { readFile } from 'node:fs/promises'
import { expect, expectToast, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'

test('Export CSV downloads all rows that the filters allow (product 6.9)', async ({ page, server }) => {
  const word = newWord()
  await importMember(server, { legalFirstName: word })
  await importMember(server, { legalFirstName: word })
  await page.goto(`/users?search=${word}&status=pending`)
  await expect(page.getByText('Showing 1 to 2 of 2 entries')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).focus()
  await page.keyboard.press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(1).every((line) => line.includes(word))).toBe(true)
  await expect(page).toHaveURL(/\/users\?/)
  await page.goto('/security?tab=actions')
  const logged = page.getByRole('row').filter({ hasText: 'Exported list' }).first()
  await expect(logged).toContainText('grace')
  await expect(logged).toContainText(`Search: ${word}`)
})

/** The call that the console makes before it opens an export's link. */
const asksWhetherReady = /\/api\/exports\/?\?/

test('a refused export is told by a toast, and the list stays (product 9.3)', async ({ page }) => {
  await page.route(asksWhetherReady, (route) =>
    route.fulfill({ status: 429, json: { message: '2 exports are under way already.', code: 'too_many_requests' } }),
  )
  await page.goto('/security')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expectToast(page, 'Export Failed', '2 exports are under way already.')
  await page.unroute(asksWhetherReady)
  await page.route(asksWhetherReady, (route) => route.abort())
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expectToast(page, 'Export Failed', "The server can't be reached. Check the connection and try again.")
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeEnabled()
  await expect(page).toHaveURL('/security')
})
