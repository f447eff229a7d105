import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { paymentDetails } from '#test/support/payment-details.ts'
import type { ConsoleServer } from './support/console-server.ts'

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page) => page.getByRole('region', { name: 'Bulk job' })
const job = (page: Page) => page.getByRole('region', { name: 'Rows of the job' })

/** Members of one word, found by it, the newest first. */
async function importMany(server: ConsoleServer, count: number) {
  const word = newWord()
  const members = []
  for (let at = 0; at < count; at++)
    members.push(
      await importMember(server, {
        legalFirstName: `Row ${String.fromCodePoint(65 + at)}`,
        legalLastName: word,
        createdAt: new Date(Date.now() - at * 60_000).toISOString(),
      }),
    )
  return { word, members }
}

test('members are chosen by keyboard, banned as one job, and its result is read (product 5.18)', async ({
  page,
  server,
}) => {
  const { word, members } = await importMany(server, 4)
  await page.goto(`/users?search=${word}`)
  await expect(page.getByRole('region', { name: 'Users' }).getByRole('row')).toHaveCount(5)
  await box(page, members[0]!.name).focus()
  await page.keyboard.press('x')
  await expect(bar(page)).toContainText('1 selected')
  await box(page, members[2]!.name).focus()
  await page.keyboard.press('Shift+X')
  await expect(bar(page)).toContainText('3 selected')
  await expect(box(page, members[1]!.name)).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  await page.keyboard.press('x')
  await expect(bar(page)).toContainText('1 selected')
  await page.keyboard.press('.')
  await expect(bar(page).getByRole('button', { name: 'Select all 4 that match' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('4 selected')
  await bar(page).getByRole('button', { name: 'Ban…', exact: true }).press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Ban 4 members?')
  await expect(dialog(page).getByRole('list', { name: 'Among them' })).toContainText(members[0]!.name)
  const start = dialog(page).getByRole('button', { name: 'Ban 4 members' })
  await expect(start).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('One person')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(card(page)).toContainText('4 members banned')
  await expect(card(page).getByRole('list', { name: 'Outcome' })).toHaveText('4 done')
  await expect(page, 'the list stays').toHaveURL(`/users?search=${word}`)
  await card(page).getByRole('link', { name: 'Result' }).press('Enter')
  await expect(page).toHaveURL(/\/bulk\/\d+$/)
  await expect(card(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ban members')
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible()
  await expect(page.getByText('Finished')).toBeVisible()
  await expect(job(page).getByText('Done', { exact: true })).toHaveCount(4)
  await page.goto(`/users?search=${word}`)
  await expect(page.getByRole('button', { name: /^Unban Row/ })).toHaveCount(4)
})

test('what changed meanwhile is skipped, listed and stands at the bell (product 5.18)', async ({
  page,
  server,
  operator,
}) => {
  const { word, members } = await importMany(server, 2)
  await page.goto(`/users?search=${word}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await bar(page).getByRole('button', { name: 'Ban…', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Ban 2 members?')
  const ban = await operator.post(`/api/users/${members[0]!.id}/ban`, { data: { reason: 'Seen by Joan' } })
  expect(ban.ok()).toBe(true)
  await dialog(page).getByLabel('Reason').fill('One person')
  await dialog(page).getByRole('button', { name: 'Ban 2 members' }).click()
  await expect(card(page)).toContainText('1 of 2 members banned')
  await expect(card(page)).toContainText('1 left out')
  await card(page).getByRole('link', { name: 'Result' }).click()
  await expect(page.getByText('Finished')).toBeVisible()
  const skipped = job(page).getByRole('row').filter({ hasText: members[0]!.name })
  await expect(skipped).toContainText('Skipped')
  await expect(skipped).toContainText('This user is already banned (set by joan')
  await page.getByRole('combobox', { name: 'Result filter' }).selectOption('Skipped (1)')
  await expect(job(page).getByRole('row')).toHaveCount(2)
})

test('a selection survives pages, and goes with its filter (product 4.8)', async ({ page, server }) => {
  const { word, members } = await importMany(server, 2)
  await page.goto(`/users?search=${word}`)
  await box(page, members[1]!.name).click()
  await expect(bar(page)).toContainText('1 selected')
  await page.getByRole('searchbox').fill(`Row A ${word}`)
  await expect(bar(page)).toBeHidden()
  await page.goto('/users')
  const first = page.getByRole('checkbox', { name: /^Select (?!all)/ }).first()
  await first.click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL('/users?page=2')
  await expect(first).not.toBeChecked()
  await expect(bar(page)).toContainText('1 selected')
  await page.goBack()
  await expect(first).toBeChecked()
})

/** A job that was stopped with three rows not done. */
async function insertStopped(server: ConsoleServer) {
  const [job] = await server.sql(
    `INSERT INTO bulk_jobs (action, created_by, total, reason, state, started_at, ended_at, stop_cause, counts)
     SELECT 'cancel_orders', id, 14, 'The round was filled', 'stopped', now(), now(), 'operator',
       '{"waiting": 3, "done": 9, "requested": 0, "skipped": 2, "failed": 0}'
     FROM admins WHERE username = 'grace' RETURNING id::text`,
  )
  await server.sql(`SELECT pg_notify('changes', 'bulk')`)
  return job!.id as string
}

test('the card of a job stays over all screens, after a reload, until it is closed (product 5.18)', async ({
  page,
  server,
}) => {
  await server.sql('UPDATE bulk_jobs SET seen_at = now() WHERE ended_at IS NOT NULL')
  await page.goto('/orders')
  const id = await insertStopped(server)
  await expect(card(page)).toContainText('9 of 14 orders cancelled')
  await expect(card(page)).toContainText('“The round was filled”')
  await expect(card(page).getByRole('listitem')).toHaveText(['9 done', '2 left out', '3 not done'])
  await page.goto('/users')
  await expect(card(page)).toBeVisible()
  await page.reload()
  for (const [width, height] of [
    [1280, 800],
    [375, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .click()
    await expect(bar(page)).toContainText('selected')
    await expect(async () => {
      const [above, below] = [await card(page).boundingBox(), await bar(page).boundingBox()]
      expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
    }, `the bar is free at ${width} px`).toPass()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear selection (Esc)' }).click()
  }
  await card(page).getByRole('button', { name: 'Close' }).click()
  await expect(card(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect
    .poll(() => server.sql('SELECT seen_at IS NOT NULL AS seen FROM bulk_jobs WHERE id = $1', [id]))
    .toEqual([{ seen: true }])
})

test('orders are summed in each currency, exported and marked paid as one job (product 4.8, 5.18)', async ({
  page,
  server,
}) => {
  const member = await importMember(server)
  const number = `B-${newWord()}`
  const make = (at: number, investmentAmount: string, currency: string) => ({
    type: 'order',
    orderNumber: `${number}-${at}`,
    memberId: member.id,
    projectId: 'p-1',
    projectName: 'Solar Park',
    investmentAmount,
    currency,
    expiresAt: '2099-01-01T00:00:00Z',
    ...paymentDetails,
  })
  await server.importLines(make(1, '1000.10', 'EUR'), make(2, '2000.25', 'EUR'), make(3, '7.00', 'GBP'))
  await page.goto(`/orders?search=${member.email}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(bar(page)).toContainText(/3 selected · .*3,000\.35 EUR/)
  await expect(bar(page)).toContainText('7.00 GBP')
  await box(page, `order ${number}-3`).click()
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toMatch(/^orders-.*\.csv$/)
  await bar(page).getByRole('button', { name: 'Mark paid…' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Mark 2 orders paid?')
  await expect(dialog(page)).toContainText('Together 3,000.35 EUR')
  await dialog(page).getByLabel('Payment notes').fill('List of the notary')
  await dialog(page).getByRole('button', { name: 'Mark 2 orders paid' }).click()
  await expect(card(page)).toContainText('2 orders paid')
  const rows = page.getByRole('region', { name: 'Orders' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Waiting Payment' })).toHaveCount(1)
  await card(page).getByRole('button', { name: 'Close' }).click()
})

test('Shift with J and K takes the rows on the way along (product 4.8)', async ({ page, server }) => {
  const { word, members } = await importMany(server, 4)
  await page.goto(`/users?search=${word}`)
  await page.getByRole('link', { name: members[0]!.name }).first().focus()
  await page.keyboard.press('Shift+J')
  await expect(bar(page)).toContainText('2 selected')
  await page.keyboard.press('j')
  await expect(bar(page)).toContainText('2 selected')
  await page.keyboard.press('Shift+J')
  await expect(bar(page)).toContainText('4 selected')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  await page.keyboard.press('Shift+K')
  await expect(bar(page)).toContainText('2 selected')
  await expect(box(page, members[2]!.name)).toBeChecked()
})

test('axe finds nothing at a selection, its dialog and a job', async ({ page, server }) => {
  const { word } = await importMany(server, 3)
  await page.goto(`/users?search=${word}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(bar(page)).toContainText('3 selected')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Ban…', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Ban 3 members?')
  await expectAccessible(page)
  await dialog(page).getByLabel('Reason').fill('One person')
  await dialog(page).getByRole('button', { name: 'Ban 3 members' }).click()
  await expect(card(page)).toContainText('3 members banned')
  await expectAccessible(page)
  await card(page).getByRole('link', { name: 'Result' }).click()
  await expect(page.getByText('Finished')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/bulk')
  await expect(page.getByRole('link', { name: 'Ban members' }).first()).toBeVisible()
  await expectAccessible(page)
  for (const [width, height] of [
    [375, 800],
    [1280, 800],
    [1920, 1000],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/users?search=${word}`)
    await box(page, `Row A ${word}`).click()
    await expect(bar(page)).toContainText('1 selected')
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
  }
})
