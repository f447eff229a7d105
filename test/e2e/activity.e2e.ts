import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectLive, test } from './support/harness.ts'
import { importWork, line, openDesk } from './support/desk.ts'
import { importMember, newWord } from './support/members.ts'
import { importOrder } from './support/orders.ts'
import { group, search } from './support/search.ts'

const activity = (page: Page) => page.getByRole('region', { name: 'Activity' })
const entries = (page: Page) => activity(page).getByRole('list', { name: 'Entries, newest first' }).locator('> li')
const field = (page: Page) => activity(page).getByRole('textbox', { name: 'Note' })

test('a member’s activity says what happened, by whom, and leads to the order (product 5.17)', async ({
  page,
  server,
  operator,
}) => {
  const member = await importMember(server)
  const order = await importOrder(server, member)
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Stolen identity' } })
  await page.goto(`/users/${member.id}`)
  await expect(entries(page).filter({ hasText: /^Banned/ })).toContainText('Stolen identity')
  await expect(entries(page).last()).toContainText('Joined')
  await activity(page).getByRole('combobox', { name: 'Kind of activity' }).selectOption('Orders')
  await expect(entries(page)).toHaveCount(1)
  await expect(activity(page)).toContainText('Activity1')
  await entries(page).getByRole('link', { name: order.number }).click()
  await expect(page).toHaveURL(/\/orders\/\d+$/)
  await expect(entries(page).last()).toContainText('Order placed')
})

test('a note is written, edited and pinned by keyboard, and seen at once elsewhere (product 5.17)', async ({
  page,
  context,
  server,
}) => {
  const member = await importMember(server)
  const other = await context.newPage()
  await other.goto(`/users/${member.id}`)
  await expectLive(other)
  await page.goto(`/users/${member.id}`)
  await expect(activity(page).getByRole('button', { name: 'Save' })).toBeDisabled()
  await field(page).fill('Called twice.')
  await page.keyboard.press('Control+Enter')
  await expect(entries(page).first()).toContainText('Called twice.')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')
  await expect(entries(other).first()).toContainText('Called twice.')

  await entries(other).first().getByRole('button', { name: 'Edit note' }).click()
  await entries(other).first().getByRole('textbox', { name: 'Note' }).fill('x'.repeat(4001))
  await expect(entries(other).first().getByRole('alert')).toContainText('shorten it by 1')
  await entries(page).first().getByRole('button', { name: 'Edit note' }).press('Enter')
  await expect(entries(page).first().getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Called three times.')
  await page.keyboard.press('Control+Enter')
  await expect(entries(page).first()).toContainText('Called three times.')
  await expect(entries(other).first()).toContainText('It now says “Called three times.”; save to replace that.')
  await entries(page).first().getByRole('button', { name: 'Earlier texts' }).press('Enter')
  await expect(entries(page).first()).toContainText('Called twice.')

  await entries(page).first().getByRole('button', { name: 'Pin note' }).press('Enter')
  const pinned = activity(page).getByRole('list', { name: 'Pinned notes' })
  await expect(pinned).toContainText('Called three times.')
  await pinned.getByRole('button', { name: /^Unpin note/ }).press('Enter')
  await expect(pinned).toHaveCount(0)
})

test('a note on a bank line is written by keyboard, and found by its words (product 5.17)', async ({
  page,
  operator,
}) => {
  const word = newWord()
  const account = await importWork(operator, 'Notes', [{ amount: '12.00', payer: 'Nobody Known', text: word }])
  await openDesk(page, account)
  const notes = line(page).getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox', { name: 'Note' }).focus()
  await page.keyboard.type(`The bank looks into ${word}`)
  await page.keyboard.press('Control+Enter')
  await expect(notes.getByRole('listitem')).toContainText(`grace · `)
  await expect(notes.getByRole('textbox', { name: 'Note' })).toHaveValue('')
  await notes.getByRole('button', { name: 'Edit note' }).press('Enter')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' since Monday')
  await page.keyboard.press('Control+Enter')
  await expect(notes.getByRole('listitem')).toContainText(`${word} since Monday`)
  await page.goto('/users')
  await search(page, word)
  await group(page, 'Notes').getByRole('option').click()
  await expect(notes).toContainText(`${word} since Monday`)
})

test('a colleague who is named in a note finds it at the bell (product 5.17)', async ({ page, server, operator }) => {
  const member = await importMember(server)
  await operator.post(`/api/users/${member.id}/notes`, { data: { text: 'Same face as before? @grace' } })
  await page.goto('/kyc')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.click()
  const mention = page.getByRole('link', { name: 'joan mentions you' })
  await mention.click()
  await expect(page).toHaveURL(`/users/${member.id}`)
  await expect(entries(page).first()).toContainText('Same face as before?')
  await bell.click()
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expect(mention).toHaveCount(0)
})

test('what is typed of a note is not lost without a question (product 5.17)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await field(page).fill('Half a sentence')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await question.getByRole('button', { name: 'Keep Editing' }).click()
  await expect(field(page)).toHaveValue('Half a sentence')
})

test('a note that is refused stays typed, and says why (product 5.17)', async ({ page, server }) => {
  const member = await importMember(server)
  await page.goto(`/users/${member.id}`)
  await page.route('**/notes', (route) => route.fulfill({ status: 503, json: { message: 'Try again', code: 'busy' } }))
  await field(page).fill('Called twice.')
  await activity(page).getByRole('button', { name: 'Save' }).click()
  await expect(activity(page).getByRole('alert')).toHaveText('Try again')
  await expect(field(page)).toHaveValue('Called twice.')
})

test('activity with notes is accessible, also on a phone', async ({ page, server, operator }) => {
  const member = await importMember(server)
  await importOrder(server, member)
  await operator.post(`/api/users/${member.id}/notes`, { data: { text: `${'x'.repeat(300)} ملاحظة` } })
  await page.goto(`/users/${member.id}`)
  await expect(entries(page).last()).toContainText('Joined')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectAccessible(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})
