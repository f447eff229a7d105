import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { box, group, heading, popup, search, status } from './support/search.ts'

test('missing and failed results are named (product 3.7)', async ({ page, server }) => {
  const member = await importMember(server)
  const word = member.email.split('@')[0]!
  const late = Promise.withResolvers<void>()
  let isDown = false
  await page.route(/\/api\/search/, async (route) => {
    if (isDown) return route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_away' } })
    if (
      route
        .request()
        .url()
        .endsWith(`q=${word.slice(0, -1)}`)
    )
      await late.promise
    return route.continue().catch(() => {})
  })
  await page.goto('/security')
  await search(page, 'no one is called this')
  await expect(status(page)).toHaveText('Nothing found for “no one is called this”')
  await expect(group(page, 'Search in a list').getByRole('option')).toHaveText([
    'Search User Management for “no one is called this”',
    'Search Orders for “no one is called this”',
  ])
  const first = page.waitForRequest((request) => request.url().endsWith(`q=${word.slice(0, -1)}`))
  await box(page).fill(word.slice(0, -1))
  await first
  await box(page).fill(word)
  const members = group(page, 'Members').getByRole('option')
  await expect(members).toContainText([member.email])
  late.resolve()
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await expect(members.locator('b').first()).toHaveText(word)

  isDown = true
  await box(page).fill(`${word}@`)
  await expect(status(page)).toHaveText('The search failed: The database is away')
  isDown = false
  await expect(popup(page).getByRole('option', { selected: true })).toHaveText('Try Again')
  await page.keyboard.press('Enter')
  await expect(members).toContainText([member.email])
  await popup(page).getByRole('option', { name: 'Search User Management for' }).click()
  await expect(page).toHaveURL(`/users?search=${encodeURIComponent(`${word}@`)}`)
})

test('Enter that comes before the answer opens the first hit when it is there', async ({ page, server }) => {
  const member = await importMember(server)
  const answered = Promise.withResolvers<void>()
  await page.route(/\/api\/search\/?\?/, async (route) => {
    await answered.promise
    await route.continue().catch(() => {})
  })
  await page.goto('/security')
  await search(page, '')
  await page.keyboard.insertText(` ${member.email}; `)
  await expect(popup(page)).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  answered.resolve()
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('an empty search offers what was open last until the sign-out', async ({ page, server }) => {
  const [one, other] = [await importMember(server), await importMember(server)]
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
  for (const { id, name } of [one, other]) {
    await page.goto(`/users/${id}`)
    await expect(heading(page)).toHaveText(name)
    await expect.poll(kept).toContain(id)
  }
  await search(page, '')
  const recent = group(page, 'Recent').getByRole('option')
  await expect(recent).toHaveCount(2)
  await expect(recent.nth(0)).toContainText(other.name)
  await recent.nth(1).click()
  await expect(page).toHaveURL(`/users/${one.id}`)
  expect(await kept()).toContain(one.id)
  expect(await kept()).not.toContain(one.email)
  // The session is the other tests' too.
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 204 }))
  await search(page, 'sign out')
  await popup(page).getByRole('option', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Super Admin Login' })).toBeVisible()
  expect(await kept()).not.toContain(one.id)
})

test('axe finds nothing with the results open, wide and at 375 px (product 3.8)', async ({ page }) => {
  await page.goto('/kyc-webhooks')
  await search(page, 'ol')
  await expect(group(page, 'Tokens')).toBeVisible()
  await expect(popup(page)).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('ArrowDown')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 812 })
  const opener = page.getByRole('button', { name: 'Search', exact: true })
  await opener.press('Enter')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('an')
  await expect(group(page, 'Members')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('what of the search can’t be fetched says so, and the rest goes on (product 3.5)', async ({ page }) => {
  await page.addInitScript(() => {
    // React tells of every error that a boundary caught; these are the test's own.
    const tell = console.error
    console.error = (...words: unknown[]) => String(words[0]).includes('dynamically imported') || tell(...words)
  })
  await page.route(/\/assets\/search-(box|popup)-/, (route) => route.abort())
  await page.goto('/kyc-webhooks')
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await expect(heading(page)).toHaveText('KYC Webhooks')
  await page.unroute(/\/assets\/search-(box|popup)-/)
  await page.route(/\/assets\/search-popup-/, (route) => route.abort())
  await page.reload()
  await search(page, 'silva')
  await expectToast(page, 'Could not be loaded')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users?search=silva')
})
