import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import type { ConsoleServer } from './support/console-server.ts'

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const dialog = (page: Page) => page.getByRole('dialog')
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
  await bar(page).getByRole('button', { name: 'Select all 4 that match' }).press('Enter')
  await expect(bar(page)).toContainText('4 selected')
  await bar(page).getByRole('button', { name: 'Ban…', exact: true }).press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Ban 4 members?')
  await expect(dialog(page).getByRole('list', { name: 'Among them' })).toContainText(members[0]!.name)
  const start = dialog(page).getByRole('button', { name: 'Ban 4 members' })
  await expect(start).toBeDisabled()
  await dialog(page).getByLabel('Reason').fill('One person')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page).toHaveURL(/\/bulk\/\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ban members')
  await expect(page.getByText('4 of 4')).toBeVisible()
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
