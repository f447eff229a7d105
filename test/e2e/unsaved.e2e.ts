import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember, type ImportedMember } from './support/members.ts'

const ban = (page: Page) => page.getByRole('dialog', { name: /^Ban / })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' })
const reason = (page: Page) => ban(page).getByLabel('Reason')

async function openBan(page: Page, { email }: ImportedMember) {
  await page.goto(`/users?search=${email}`)
  await page.getByRole('button', { name: /^Ban / }).click()
  await expect(reason(page)).toBeFocused()
}

test('a dialog in which nothing was typed closes without a question', async ({ page, server }) => {
  await openBan(page, await importMember(server))
  await reason(page).fill('  ')
  await page.keyboard.press('Escape')
  await expect(ban(page)).toHaveCount(0)
  await expect(question(page)).toHaveCount(0)
})

test('Escape, Cancel and a click outside ask before typed text is lost', async ({ page, server }) => {
  await openBan(page, await importMember(server))
  await reason(page).fill('Two passports')
  await page.keyboard.press('Escape')
  await expect(question(page).getByRole('button', { name: 'Keep Editing' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question(page)).toHaveCount(0)
  await expect(reason(page)).toBeFocused()

  await page.mouse.click(5, 5)
  await expect(question(page).getByRole('button', { name: 'Keep Editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(reason(page)).toHaveValue('Two passports')

  await ban(page).getByRole('button', { name: 'Cancel' }).click()
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(ban(page)).toHaveCount(0)
})

test('an Escape in the moment the question appears answers the question', async ({ page, server }) => {
  await openBan(page, await importMember(server))
  await reason(page).fill('Two passports')
  await page.evaluate(() => {
    const press = () =>
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      )
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[role=alertdialog]')) return
      observer.disconnect()
      press()
      document.body.dataset.pressed = 'twice'
    })
    observer.observe(document.body, { childList: true, subtree: true })
    press()
  })
  await expect(page.locator('body')).toHaveAttribute('data-pressed', 'twice')
  await expect(question(page)).toHaveCount(0)
  await expect(reason(page)).toHaveValue('Two passports')
})

test('Back asks before typed text is lost', async ({ page }) => {
  await page.goto('/orders')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'User Management' }).click()
  await page.getByRole('button', { name: /^Ban / }).first().click()
  await reason(page).fill('Two passports')
  await page.evaluate(() => history.back())
  await question(page).getByRole('button', { name: 'Keep Editing' }).click()
  await expect(page).toHaveURL(/\/users/)
  await expect(reason(page)).toHaveValue('Two passports')
  await page.evaluate(() => history.back())
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/orders/)
})

test('reloading the page asks before typed text is lost', async ({ page, server }) => {
  await openBan(page, await importMember(server))
  await reason(page).pressSequentially('x')
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type())
      void dialog.dismiss()
    })
  })
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  expect(await asked).toBe('beforeunload')
  await expect(reason(page)).toHaveValue('x')
})

test('a change that was sent closes its dialog without a question', async ({ page, server }) => {
  await openBan(page, await importMember(server))
  await reason(page).fill('Two passports')
  await ban(page).getByRole('button', { name: 'Ban User' }).click()
  await expectToast(page, 'User has been banned successfully')
  await expect(ban(page)).toHaveCount(0)
  await expect(question(page)).toHaveCount(0)
})

test('a new token asks before it is given up, and the page behind it stays', async ({ page }) => {
  await page.goto('/tokens?add=true')
  const dialog = page.getByRole('dialog', { name: 'Add Token' })
  await dialog.getByLabel('Project Name').fill('Tidal Power')
  await page.keyboard.press('Escape')
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/tokens$/)
})
