import type { Page } from '@playwright/test'
import { expect, expectToast, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'

const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/** No text, attribute or title on the page changes its neighbours' direction. */
async function expectPlain(page: Page) {
  expect(await page.title()).not.toMatch(turning)
  expect(await page.content()).not.toMatch(turning)
}

test('a name that turns text around is shown without that on every screen', async ({ page, server }) => {
  const word = newWord()
  const member = await importMember(server, { legalFirstName: 'Ana\u202Egpj', legalLastName: `\u2067${word}\u200F` })
  const shown = `Anagpj ${word}`
  await page.goto(`/users?search=${word}`)
  const list = page.getByRole('region', { name: 'Users' })
  await expect(list.getByRole('link', { name: shown, exact: true })).toBeVisible()
  await expectPlain(page)

  await page.getByRole('button', { name: `Ban ${shown}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Ban ${shown}?`)
  await dialog.getByRole('textbox').fill('Chargeback')
  await expectPlain(page)
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expectToast(page, 'User has been banned successfully', shown)
  await expect(dialog).toHaveCount(0)
  await expectPlain(page)

  await page.keyboard.press('Control+k')
  await page.keyboard.insertText(word)
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText(shown)
  await expectPlain(page)
  await page.goto(`/users/${member.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown)
  await expectPlain(page)
})

test('a name in another direction is isolated from what stands beside it', async ({ page, server }) => {
  const member = await importMember(server, { legalFirstName: 'مريم', legalLastName: newWord() })
  await page.goto(`/users/${member.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('unicode-bidi', /isolate|plaintext/)
  await page.goto(`/users?search=${member.email}`)
  await expect(page.getByRole('link', { name: member.name, exact: true })).toHaveCSS(
    'unicode-bidi',
    /isolate|plaintext/,
  )
})
