import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { events, raiseEvents } from './support/security-page.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' })

/** Both clicks of a double click come before the browser draws anew, as on a busy machine. */
const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

function countPosts(page: Page) {
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  return posts
}

async function fillToken(page: Page) {
  await page.goto('/tokens?add=true')
  const dialog = page.getByRole('dialog', { name: 'Add Token' })
  const digits = Array.from({ length: 40 }, () => Math.floor(Math.random() * 10)).join('')
  await dialog.getByLabel('Project Name').fill(newWord())
  await dialog.getByLabel('Token Symbol').fill('ONCE')
  await dialog.getByLabel('Contract Address').fill(`0x${digits}`)
  return { dialog, add: dialog.getByRole('button', { name: 'Add Token' }) }
}

test('a double click on Add Token adds one and says so', async ({ page }) => {
  const { dialog, add } = await fillToken(page)
  const posts = countPosts(page)
  await pressTwice(add)
  await expectToast(page, 'Token created successfully')
  await expect(dialog).toHaveCount(0)
  expect(posts).toHaveLength(1)
})

test('a double click on Resolve resolves once and says so', async ({ page, server }) => {
  const word = await raiseEvents(server, 'medium')
  await page.goto('/security')
  const row = events(page).getByRole('row').filter({ hasText: word })
  await row.getByRole('button', { name: /^Resolve / }).click()
  const posts = countPosts(page)
  await pressTwice(page.getByRole('dialog').getByRole('button', { name: 'Resolve' }))
  await expectToast(page, 'Security event resolved')
  await expect(row).toHaveCount(0)
  expect(posts).toHaveLength(1)
})

test('the question whether to discard goes when the input is sent', async ({ page }) => {
  const { dialog, add } = await fillToken(page)
  await add.evaluate((element: HTMLElement) => {
    element.click()
    // What a second click does that falls beside the dialog.
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await expectToast(page, 'Token created successfully')
  await expect(dialog).toHaveCount(0)
  await expect(question(page)).toHaveCount(0)
})
