import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'
import { cards, events, raiseEvents } from './support/security-page.ts'

const state = (page: Page) => page.getByRole('combobox', { name: 'State filter' })
const rows = (page: Page) => events(page).getByRole('row')
const total = (page: Page) => page.getByText(/^Showing .* entries$/)

test('a resolved event shows who resolved it, when and with what note', async ({ page, server, operator }) => {
  const word = await raiseEvents(server, 'medium')
  const sql = `SELECT id::text FROM security_events WHERE description LIKE '%' || $1`
  const [event] = await server.sql<{ id: string }>(sql, [word])
  await operator.post(`/api/security/events/${event!.id}/resolve`, { data: { note: 'An old link' } })
  await page.goto('/security')
  await expect(state(page).getByRole('option')).toHaveText([
    'Unresolved',
    'Unresolved, one by one',
    'Resolved',
    'All Events',
  ])
  await expect(state(page)).toHaveValue('')
  await expect(rows(page).filter({ hasText: word })).toHaveCount(0)
  await state(page).selectOption('Resolved')
  await expect(page).toHaveURL('/security?resolved=true')
  const row = rows(page).filter({ hasText: word })
  await expect(row).toContainText(/by joan on \w{3} \d\d, \d{4} at \d\d:\d\dAn old link/)
  await expect(row.getByRole('button')).toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain('Resolved By,Resolved At,Resolution Note')
  expect(file.split('\r\n').find((line) => line.includes(word))).toMatch(/,joan,.*Z,An old link$/)
  await page.reload()
  await expect(row).toBeVisible()
})

test('among all events the open ones can be resolved', async ({ page, server }) => {
  const word = await raiseEvents(server, 'low')
  await page.goto('/security?resolved=all')
  const row = rows(page).filter({ hasText: word })
  await expect(row).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1440, height: 900 })
  await row.getByRole('button', { name: /^Resolve / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await expect(row).toContainText('by grace on')
  await expect(row).toContainText('No note')
})

test('each of the four cards leads to the list that counts the same', async ({ page, server, operator }) => {
  await raiseEvents(server, 'critical')
  for (const [name, figure] of [
    ['Total Events', 'total'],
    ['Critical Events', 'critical'],
    ['High Severity', 'high'],
    ['Unresolved', 'unresolved'],
  ] as const) {
    await page.goto('/security?tab=actions')
    await cards(page)
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
    const figures = await (await operator.get('/api/security/figures')).json()
    await expect(total(page)).toContainText(`of ${figures[figure].toLocaleString('en-US')} entries`)
  }
})
