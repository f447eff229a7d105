import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { admin, expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import type { ConsoleServer } from './support/console-server.ts'
import { importMember, findMemberWithDocuments } from './support/members.ts'

test.use({ isSignedIn: false })

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Are you still there?' })
const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Sign in to go on' })

/** A session of its own, so that no other test notices its end. */
async function openSession(page: Page, server: ConsoleServer) {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await server.sql(
    `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
     SELECT $1, id, '127.0.0.1', 'tests' FROM admins WHERE username = $2`,
    [hash, admin.username],
  )
  await page.context().addCookies([{ name: 'sid', value: token, url: server.url, httpOnly: true, sameSite: 'Strict' }])
  return {
    idleFor: (time: string) =>
      server.sql(`UPDATE sessions SET last_active_at = now() - interval '${time}' WHERE token_hash = $1`, [hash]),
    age: (time: string) =>
      server.sql(`UPDATE sessions SET created_at = now() - interval '${time}' WHERE token_hash = $1`, [hash]),
    end: () => server.sql('DELETE FROM sessions WHERE token_hash = $1', [hash]),
  }
}

test('one press on the idle warning keeps every tab signed in', async ({ page, server }) => {
  const session = await openSession(page, server)
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.clock.install()
    // The last call that a page makes at its start. It would count as use of the session.
    const started = tab.waitForResponse((reply) => reply.url().includes('/api/views'))
    await tab.goto('/tokens')
    await expectLive(tab)
    await started
  }
  await session.idleFor('28 minutes 5 seconds')
  for (const tab of [page, other]) {
    await tab.clock.fastForward('28:30')
    await expect(warning(tab)).toBeVisible()
  }
  await expectAccessible(page)
  await warning(page).getByRole('button', { name: 'Stay Signed In' }).click()
  await expect(warning(page)).toHaveCount(0)
  await expect(warning(other)).toHaveCount(0)
})

test('a session that was used elsewhere is not warned about', async ({ page, server }) => {
  await openSession(page, server)
  await page.clock.install()
  await page.goto('/tokens')
  await expectLive(page)
  const asked = page.waitForResponse((reply) => reply.url().endsWith('/api/auth/user'))
  await page.clock.fastForward('28:30')
  await asked
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('before the 12 hours are over the operator can sign in again in place', async ({ page, server }) => {
  const session = await openSession(page, server)
  await session.age('11 hours 58 minutes 10 seconds')
  await page.goto('/tokens')
  const final = page.getByRole('alertdialog', { name: /^Your sign-in ends at/ })
  await final.getByRole('button', { name: 'Sign In Again' }).click()
  await signInAgain(page).getByLabel('Password').fill(admin.password)
  await signInAgain(page).getByRole('button', { name: 'Sign In' }).click()
  await expect(signInAgain(page)).toHaveCount(0)
  await expect(final).toHaveCount(0)
})

test('when the session ends over typed text, signing in again in place keeps it', async ({ page, server }) => {
  const member = await importMember(server)
  const session = await openSession(page, server)
  await page.goto(`/users?search=${member.email}`)
  await page.getByRole('button', { name: /^Ban / }).click()
  const dialog = page.getByRole('dialog', { name: /^Ban / })
  await dialog.getByLabel('Reason').fill('Two passports')
  await session.end()
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expect(signInAgain(page).getByLabel('Username')).toHaveValue(admin.username)
  await expect(signInAgain(page).getByLabel('Password')).toBeFocused()
  await expectAccessible(page)
  await expect(page.getByText('Redirecting to login')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(signInAgain(page).getByText('Invalid credentials')).toBeVisible()
  await signInAgain(page).getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(signInAgain(page)).toHaveCount(0)
  await expect(dialog.getByLabel('Reason')).toHaveValue('Two passports')
  await expect(dialog.getByText('nothing was changed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expectToast(page, 'User has been banned successfully')
})

test('review mode keeps its case and what was typed over a new sign-in', async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  const [verification] = await server.sql<{ id: string }>(
    "SELECT id::text FROM kyc_verifications WHERE member_id = $1 AND status = 'pending' ORDER BY id DESC LIMIT 1",
    [id],
  )
  const session = await openSession(page, server)
  await page.goto(`/kyc?review=${verification!.id}`)
  await page.getByRole('button', { name: /^Reject/ }).click()
  await page.getByLabel('Rejection reason').fill('The selfie is too dark')
  await session.end()
  await page.getByRole('button', { name: /^Reject/ }).click()
  await signInAgain(page).getByLabel('Password').fill(admin.password)
  await signInAgain(page).getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Rejection reason')).toHaveValue('The selfie is too dark')
  await page.getByRole('button', { name: /^Reject/ }).click()
  await expectToast(page, 'KYC Status Updated')
})

test('a list never says that it could not be loaded when the session is over', async ({ page, server }) => {
  const session = await openSession(page, server)
  await page.goto('/users')
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await page.evaluate(() => {
    const seen: string[] = []
    new MutationObserver(() => {
      if (/could not be (loaded|refreshed)/.test(document.body.textContent ?? '')) seen.push('failure')
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { seen })
  })
  await session.end()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})
