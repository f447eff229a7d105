import type { Locator, Page } from '@playwright/test'
import { admin, expect, expectToast, test } from './support/harness.ts'
import { importMember, buildSubmission } from './support/members.ts'
import { importOrder } from './support/orders.ts'
import { buildFailedTry, insertTriesSql } from '#test/support/case-tries.ts'

test.use({ isSignedIn: false })

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

/** Goes on with Tab until the control has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible()
  for (let stops = 0; stops < 60; stops += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(control)} is out of the keyboard's reach`)
}

/** Approves the open case. Pictures that have not loaded take a second press. */
async function approve(page: Page) {
  const address = page.url()
  const form = page.getByRole('group', { name: /^Approve KYC of/ })
  await page.keyboard.press('a')
  await expect(form).toBeVisible()
  await expect
    .poll(async () => {
      if (page.url() === address && (await form.isVisible())) await page.keyboard.press('Enter')
      return page.url()
    })
    .not.toBe(address)
}

/** By the command palette: types, then goes down to what is meant. */
async function goTo(page: Page, typed: string, found: RegExp, group = 'Screens and actions') {
  // A dialog that still closes takes the keys.
  await expect(page.locator('[role=dialog], [role=alertdialog], [role=menu]')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search users, transactions' })).toBeFocused()
  await page.keyboard.type(typed)
  const results = page.getByRole('listbox', { name: 'Search results' })
  const option = results.getByRole('group', { name: group }).getByRole('option', { name: found }).first()
  await expect(option).toBeVisible()
  await expect(results).toHaveAttribute('aria-busy', 'false')
  for (let steps = 0; steps < 12; steps += 1) {
    if ((await option.getAttribute('aria-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test("a first day's work is done by keyboard alone (product 3.8)", async ({ page, server }) => {
  test.slow()
  const member = await importMember(server)
  await server.importLines(buildSubmission(member.id))
  const { number: orderNumber } = await importOrder(server, member, { expiresAt: '2099-01-01T00:00:00Z' })
  await server.sql(insertTriesSql, buildFailedTry(member.id))

  const countDecided = async () => {
    const text = "SELECT count(*)::int AS count FROM kyc_verifications WHERE decided_by = 'ada'"
    return (await server.sql<{ count: number }>(text))[0]!.count
  }
  const decidedBefore = await countDecided()
  await page.goto('/')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type(admin.username)
  await press(page, 'Tab')
  await page.keyboard.type(admin.password)
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' })).toBeVisible()

  await test.step('reviews ten cases, every third one rejected', async () => {
    await goTo(page, 'start kyc', /Start KYC Review/)
    const caseName = page.getByRole('region', { name: 'KYC review' }).getByRole('heading', { level: 2 }).first()
    for (let reviewed = 1; reviewed <= 10; reviewed += 1) {
      await expect(caseName).toBeFocused()
      const address = page.url()
      await (reviewed % 3 === 0 ? press(page, 'r', 'Alt+1', 'Control+Enter') : approve(page))
      await expect(page).not.toHaveURL(address)
    }
    await expect(caseName).toBeFocused()
    await press(page, 'Escape')
    await expect(page.getByRole('tab', { name: 'KYC Submissions' })).toBeVisible()
    expect((await countDecided()) - decidedBefore).toBe(10)
  })

  await test.step('cancels an order', async () => {
    await goTo(page, orderNumber, new RegExp(orderNumber), 'Orders')
    await expect(page.getByText('Investment Order Details')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Cancel Order' }))
    await press(page, 'Enter')
    await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused()
    await page.keyboard.type('The member asked for it')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel Order' }))
    await press(page, 'Enter')
    await expectToast(page, 'Order Updated')
    await expect(page.getByRole('main').getByText('Cancelled').first()).toBeVisible()
  })

  await test.step('adds a token', async () => {
    await goTo(page, 'add token', /Add Token/)
    await expect(page.getByRole('dialog').getByLabel('Project Name')).toBeFocused()
    await page.keyboard.type('Tidal Power')
    await press(page, 'Tab')
    await page.keyboard.type('tide')
    await tabTo(page, page.getByRole('dialog').getByLabel('Contract Address'))
    await page.keyboard.type(`0x${Buffer.from(orderNumber).toString('hex').padEnd(40, '0').slice(0, 40)}`)
    await press(page, 'Enter')
    await expectToast(page, 'Token created successfully')
  })

  await test.step('retries a webhook', async () => {
    await goTo(page, 'kyc webhooks', /KYC Webhooks/)
    const log = page.getByRole('region', { name: 'Recent Webhook Logs' })
    await tabTo(page, log.getByRole('button', { name: `Retry ${member.id}` }))
    await press(page, 'Enter')
    await expectToast(page, 'Webhook Retry Succeeded')
  })
})
