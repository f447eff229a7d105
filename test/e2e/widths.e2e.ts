import type { Page } from '@playwright/test'
import { endRules, makeOrder, openSecond, requestPaid, setRule } from './support/approvals.ts'
import { expect, test } from './support/harness.ts'
import { findCaseWithDocuments } from './support/kyc-cases.ts'
import { findLayoutFaults } from './support/layout-faults.ts'
import { listScreens, openScreen, rowsTest } from './support/screens.ts'

const widths = [320, 375, 600, 768, 1024, 1100, 1180, 1280, 1366, 1440, 1600, 1920, 2560]

// A page is loaded once and then resized: what is wrong at one width only is found without a load for each.
async function expectSound(page: Page, name: string, at = widths) {
  for (const width of at) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => findLayoutFaults(page), { message: `${name} at ${width} px` }).toEqual([])
  }
}

for (const [name, path] of Object.entries(listScreens))
  rowsTest(`nothing collides, is cut or too small at any width: ${name}`, async ({ page, extreme }) => {
    expect(extreme.memberId).toBeTruthy()
    await openScreen(page, path)
    await expectSound(page, name)
  })

for (const tab of ['Profile', 'KYC Details', 'Wallets', 'Transactions', 'Fractions', 'KYC History'])
  rowsTest(`nothing collides, is cut or too small at any width: a member, ${tab}`, async ({ page, extreme }) => {
    await openScreen(page, `/users/${extreme.memberId}`)
    await page.getByRole('tab', { name: tab }).click()
    await expectSound(page, `a member, ${tab}`)
  })

rowsTest('nothing collides, is cut or too small at any width: an order', async ({ page, extreme }) => {
  await openScreen(page, `/orders/${extreme.orderId}`)
  await expectSound(page, 'an order')
})

rowsTest('nothing collides, is cut or too small at any width: an order with payments', async ({ page, extreme }) => {
  await openScreen(page, `/orders/${extreme.paidOrderId}`)
  await expect(page.getByRole('region', { name: 'Bank payments' })).toBeVisible()
  await expectSound(page, 'an order with payments')
})

rowsTest('nothing collides, is cut or too small at any width: dialogs', async ({ page, extreme }) => {
  test.slow()
  const dialogs = {
    'the ban of a member': [`/users?search=${extreme.email}`, /^Ban /],
    'the payment of an order': [`/orders/${extreme.orderId}`, 'Mark Paid'],
    'the cancellation of an order': [`/orders/${extreme.orderId}`, 'Cancel Order'],
    'an undone payment': [`/orders/${extreme.paidOrderId}`, /^Undo /],
    'a new token': ['/tokens', 'Add Token'],
    'an approval': [`/kyc?search=${extreme.email}`, /^Approve /],
    'a rejection': [`/kyc?tab=verifications&search=${extreme.email}`, /^Reject /],
    'a resolved event': ['/security', /^Resolve /],
  } as const
  for (const [name, [path, button]] of Object.entries(dialogs)) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openScreen(page, path)
    await page.getByRole('main').getByRole('button', { name: button }).first().click()
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
    await expectSound(page, name)
  }
})

// Between the two it lies over the list.
rowsTest('nothing collides, is cut or too small where Peek stands alone or beside', async ({ page, extreme }) => {
  await openScreen(page, `/kyc-webhooks?tab=deliveries&search=${extreme.memberId}`)
  await page
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  await expect(page.getByRole('complementary', { name: /^Peek: / })).toBeVisible()
  const alone = widths.filter((width) => width < 768 || width >= 1600)
  await expectSound(page, 'a message', alone)
})

test('nothing collides, is cut or too small at any width: review mode', async ({ page, server }) => {
  const { email } = await findCaseWithDocuments(server)
  await openScreen(page, `/kyc?tab=verifications&search=${email}`)
  await page
    .getByRole('link', { name: /^Review / })
    .first()
    .click()
  await expect(
    page.getByRole('region', { name: 'KYC review' }).getByRole('heading', { level: 2 }).first(),
  ).toBeVisible()
  await expectSound(page, 'review mode')
})

rowsTest('the first tab is whole again once a scrolled strip has room for all tabs', async ({ page, extreme }) => {
  await page.setViewportSize({ width: 375, height: 1600 })
  await openScreen(page, `/users/${extreme.memberId}?tab=history`)
  const strip = page.getByRole('main').getByRole('tablist')
  const isFaded = () => strip.evaluate((element) => getComputedStyle(element).maskImage !== 'none')
  await expect.poll(isFaded).toBe(true)
  await strip.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
  await expect(strip.getByRole('tab').last()).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(isFaded).toBe(false)
  await page.setViewportSize({ width: 375, height: 812 })
  await expect.poll(isFaded).toBe(true)
})

test('each kind of layout fault is found where it is planted', async ({ page }) => {
  await page.goto('/orders')
  await expect(page.getByRole('row').nth(9)).toBeVisible()
  expect(await findLayoutFaults(page)).toEqual([])
  const planted = {
    'is covered by': '[role=cell]:nth-last-child(1) { position: relative; left: -200px; background: white }',
    'is cut':
      '[role=cell]:nth-child(5) * { display: block; max-width: 40px; overflow: hidden; text-overflow: ellipsis }',
    'is wrapped':
      '[role=cell]:nth-child(5) * { white-space: normal; display: block; width: 20px; overflow-wrap: anywhere }',
    'ends without a sign': '[role=cell]:nth-child(6) > * { overflow: hidden; width: 60px; text-overflow: clip }',
    'is a control of': '[role=cell] button { height: 12px; width: 12px; overflow: hidden; padding: 0 }',
    'scrolls sideways': 'table { min-width: 3000px }',
    'scrolls twice': 'body::after { content: ""; position: absolute; top: 2000px; width: 1px; height: 1px }',
  }
  for (const [fault, css] of Object.entries(planted)) {
    const sheet = await page.evaluateHandle((text) => {
      const made = new CSSStyleSheet()
      made.replaceSync(text)
      document.adoptedStyleSheets = [made]
      return made
    }, css)
    expect((await findLayoutFaults(page)).join('\n'), fault).toContain(fault)
    await sheet.dispose()
  }
})

for (const width of [1440, 2560])
  test(`the wheel scrolls a list and a page over their margins at ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 600 })
    const [member] = await server.sql<{ id: string }>('SELECT id FROM members ORDER BY id LIMIT 1')
    for (const path of ['/users', '/', `/users/${member!.id}?tab=history`]) {
      await openScreen(page, path)
      for (const x of [260, width - 20]) {
        const offset = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('main, section')].reduce((sum, { scrollTop }) => sum + scrollTop, 0),
          )
        const before = await offset()
        await page.mouse.move(x, 400)
        const turnWheel = async () => {
          await page.mouse.wheel(0, 120)
          return offset()
        }
        await expect.poll(turnWheel, `${path}, at ${x} px`).toBeGreaterThan(before)
      }
    }
  })

const longName = 'W'.repeat(64)

test('the longest names of operators widen no list of approvals', async ({ page, browser, server }) => {
  const order = await makeOrder(server)
  await (await openSecond(browser, server)).context().close()
  await setRule(server, 'mark_order_paid')
  await requestPaid(page, order)
  const request = new URL(page.url()).pathname
  await server.sql('UPDATE approval_rules SET changed_by = $1', [longName])
  await page.route('**/api/approvals/**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({ response, body: text.replaceAll('"grace"', JSON.stringify(longName)) })
  })
  for (const width of [375, 1280, 1440]) {
    await page.setViewportSize({ width, height: 812 })
    for (const path of ['/approvals', '/approvals?tab=rules', request]) {
      await page.goto(path)
      await expect(page.getByText(longName).filter({ visible: true }).first()).toBeVisible()
      expect(await findLayoutFaults(page), `${path} at ${width}`).toEqual([])
    }
  }
  await endRules(server)
})
