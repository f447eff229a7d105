import type { Page } from '@playwright/test'
import { expect, setTheme, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'
import { importOrder } from './support/orders.ts'

const orders = (page: Page) => page.getByRole('region', { name: 'Orders' })

test('the columns of the orders go one by one, and their values stay in the row', async ({ page, server }) => {
  const [order] = await server.sql<{ number: string; project: string; member: string }>(
    `SELECT order_number AS number, project_name AS project, m.legal_first_name AS member
     FROM orders JOIN members m ON m.id = member_id WHERE status = 'waiting_payment' ORDER BY orders.id LIMIT 1`,
  )
  await page.goto(`/orders?search=${order!.number}`)
  const row = orders(page).getByRole('row').filter({ hasText: order!.number })
  await expect(row.getByRole('cell')).toHaveCount(9)
  const gone = { 1366: 'Created', 1100: 'Project', 1024: 'Expires', 768: 'User' }
  for (const [width, column] of Object.entries(gone).toReversed()) {
    await page.setViewportSize({ width: Number(width), height: 800 })
    await expect(orders(page).getByRole('columnheader', { name: column, exact: true })).toBeHidden()
    await expect(row.getByText('Waiting Payment')).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('button', { name: /^Cancel/ })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(row.getByText(order!.project).filter({ visible: true })).toHaveCount(1)
  await page.setViewportSize({ width: 768, height: 800 })
  await expect(row.getByText(order!.member).filter({ visible: true })).toHaveCount(1)
})

test('a long order number keeps its end, and is copied whole', async ({ page, server }) => {
  const orderNumber = `ORD-2026-EUROPE-${newWord()}-000011101`
  await importOrder(server, await importMember(server), { orderNumber, expiresAt: '2099-01-01T00:00:00Z' })
  await page.goto(`/orders?search=${orderNumber}`)
  const link = orders(page).getByRole('link', { name: orderNumber, exact: true })
  await expect(link).toHaveAttribute('title', orderNumber)
  await expect(link).toHaveText(orderNumber, { useInnerText: true })
  const [end, cell] = await link.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (text.nextNode());
    const range = document.createRange()
    range.selectNodeContents(text.currentNode)
    return [range.getBoundingClientRect().right, element.getBoundingClientRect().right]
  })
  expect(end).toBeLessThanOrEqual(cell + 1)
})

test('a search without hits says what was searched for and clears it', async ({ page }) => {
  await page.goto('/users?search=zzzz&status=banned')
  const list = page.getByRole('region', { name: 'Users' })
  await expect(list).toContainText('No data available')
  await expect(list).toContainText('No member matches "zzzz" with these filters')
  await list.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page).toHaveURL('/users?status=banned')
  await expect(page.getByRole('searchbox', { name: 'Search by name or email' })).toHaveValue('')
  await expect(list).toBeFocused()
})

test('filters without hits can be cleared, also one that a link brought along', async ({ page }) => {
  await page.goto('/orders?expiring=24h&status=paid')
  await expect(orders(page)).toContainText('No order matches these filters')
  await orders(page).getByRole('button', { name: 'Clear Filters' }).click()
  await expect(page).toHaveURL('/orders')
  await expect(orders(page).getByRole('row').nth(5)).toBeVisible()
})

test('an order that expires within a day says so in hours beside the instant', async ({ page, server }) => {
  const [order] = await server.sql<{ number: string }>(
    `UPDATE orders SET expires_at = now() + interval '6 hours 30 minutes'
     WHERE id = (SELECT id FROM orders WHERE status = 'waiting_payment' ORDER BY id LIMIT 1) RETURNING order_number AS number`,
  )
  await page.goto(`/orders?search=${order!.number}`)
  await expect(orders(page).getByRole('row').filter({ hasText: order!.number })).toContainText(
    /[A-Z][a-z]{2} \d\d, \d{4} at \d\d:\d\d.*in 6 h/,
  )
})

test('at 200 % zoom of a small screen several rows show', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 360 })
  for (const path of ['/users', '/orders']) {
    // Members of the demo alone: another test may have brought rows of several lines.
    await page.goto(`${path}?search=mail.example`)
    const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^View / }) })
    await expect(rows.nth(2)).toBeInViewport({ ratio: 1 })
  }
})

test('at 375 px members and cases are rows of 72 px, whose actions are on their page', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  for (const path of ['/users?search=mail.example&status=active', '/kyc?status=pending', '/kyc?tab=verifications']) {
    await page.goto(path)
    const row = page.getByRole('row').filter({ has: page.getByRole('link') })
    await expect.poll(async () => (await row.nth(1).boundingBox())?.height, path).toBeLessThanOrEqual(76)
    await expect(row.nth(1).getByRole('button')).toHaveCount(0)
  }
})

test('at 375 px rows of other lists are low, and keep buttons that no page has', async ({ page, server }) => {
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description, ip_address)
     VALUES ('high', 'sign_in_failed', 'Failed sign-in as an unknown username', '192.0.2.1')`,
  )
  await page.setViewportSize({ width: 375, height: 812 })
  const buttons = { '/security': /^Resolve /, '/tokens': /^(Dea|A)ctivate / }
  const readOnly = ['/kyc?tab=step2', '/kyc?tab=step3', '/kyc?tab=step4', '/security?tab=actions']
  for (const path of [...Object.keys(buttons), ...readOnly]) {
    await page.goto(path)
    const row = page.getByRole('main').getByRole('row').nth(1)
    await expect(row, path).not.toContainText('Loading...')
    await expect.poll(async () => (await row.boundingBox())?.height, path).toBeLessThanOrEqual(93)
  }
  for (const [path, name] of Object.entries(buttons)) {
    await page.goto(path)
    const { width, height } = (await page.getByRole('row').nth(1).getByRole('button', { name }).boundingBox())!
    expect(Math.min(width, height), path).toBeGreaterThanOrEqual(44)
  }
})

test('at 375 px the toolbar of orders stands on two lines', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const top = async (name: string | RegExp, role: 'button' | 'link' | 'combobox' | 'searchbox') =>
    Math.round((await page.getByRole('main').getByRole(role, { name }).first().boundingBox())!.y)
  await page.goto('/orders')
  const toolbar = [
    await top(/^Search by/, 'searchbox'),
    await top('Status filter', 'combobox'),
    await top('Export CSV', 'button'),
    await top('Refresh', 'button'),
  ]
  expect(new Set(toolbar).size).toBe(2)
})

test('a folded sidebar names its icons on hover and focus', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/users')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders', exact: true })
  const name = link.getByText('Orders')
  await expect(name).toHaveCSS('opacity', '0')
  await link.hover()
  await expect(name).toHaveCSS('opacity', '1')
  await page.mouse.move(600, 400)
  await expect(name).toHaveCSS('opacity', '0')
  await link.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(name).toHaveCSS('opacity', '1')
})

test('the search in the header looks like itself before its code has come', async ({ page }) => {
  const isHeld = Promise.withResolvers<void>()
  await page.route(/search-box.*\.js/, async (route) => {
    await isHeld.promise
    await route.continue()
  })
  await page.goto('/users')
  await expect(page.getByRole('banner')).toContainText('Search users, transactions...')
  isHeld.resolve()
  await expect(page.getByRole('combobox', { name: 'Search users, transactions' })).toBeVisible()
})

test('paper shows a list with all columns, its filters and the date', async ({ page }) => {
  await setTheme(page, 'dark')
  await page.setViewportSize({ width: 1024, height: 720 })
  await page.goto('/orders?status=waiting_payment&search=ORD')
  await expect(orders(page).getByRole('row').nth(3)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByRole('heading', { level: 1, name: 'Order Management' })).toBeVisible()
  await expect(page.getByText(/^Printed [A-Z][a-z]{2} \d\d, \d{4} at/)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Status filter' })).toBeVisible()
  await expect(orders(page).getByRole('columnheader')).toHaveText([
    'Order Number',
    'User',
    'Project',
    'Investment',
    'Status',
    'Expires',
    'Created',
  ])
  // A heading that sorts is a heading on paper.
  await expect(page.locator('button:not(th button)').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('complementary')).toHaveCount(0)
  const lightness = (value: string) => Number(/oklch\((\S+)/.exec(value)?.[1])
  const ink = await page.getByRole('heading', { level: 1 }).evaluate((element) => getComputedStyle(element).color)
  expect(lightness(ink)).toBeLessThan(0.4)
  // Every row is on paper, not only those that the window showed.
  await expect(orders(page).getByRole('row').last()).toBeVisible()
  const isCut = await orders(page).evaluate((region) => region.scrollHeight > region.clientHeight + 1)
  expect(isCut).toBe(false)
})

test('the last column in sight keeps its distance to the edge of the window', async ({ page }) => {
  await page.goto('/transactions?tab=platform')
  const date = page.getByRole('region', { name: 'Platform transactions' }).getByRole('time').first()
  for (const width of [700, 768, 850]) {
    await page.setViewportSize({ width, height: 800 })
    const end = await date.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return innerWidth - range.getBoundingClientRect().right
    })
    expect(end, `at ${width} px`).toBeGreaterThanOrEqual(16)
  }
})

test('the facts of an order keep their names and values apart on a phone', async ({ page, server }) => {
  const [order] = await server.sql<{ id: string }>('SELECT id FROM orders ORDER BY id LIMIT 1')
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/orders/${order!.id}`)
    const names = page.getByRole('main').getByRole('term')
    await expect(names.first()).toBeVisible()
    const gaps = await names.evaluateAll((terms) =>
      terms.flatMap((term) => {
        const textOf = (element: Element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return range.getBoundingClientRect()
        }
        const [name, value] = [textOf(term), textOf(term.nextElementSibling!)]
        // A figure stands below its name.
        return value.top >= name.bottom ? [] : [value.left - name.right]
      }),
    )
    expect(gaps.length).toBeGreaterThan(5)
    expect(Math.min(...gaps), `at ${width} px`).toBeGreaterThanOrEqual(12)
  }
})

test('on a phone the page scrolls a list, and its pager stands at the end', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  for (const [name, path] of [
    ['Users', '/users'],
    ['Security events', '/security?resolved=each'],
    ['Transactions', '/transactions'],
  ] as const) {
    await page.goto(path)
    const list = page.getByRole('region', { name, exact: true })
    const rows = list.getByRole('row')
    await expect(rows.nth(30)).toBeAttached()
    const hidden = await list.evaluate((element) => element.scrollHeight - element.clientHeight)
    expect(hidden, name).toBeLessThanOrEqual(1)
    const next = page.getByRole('button', { name: /^Next/ })
    await expect(next).not.toBeInViewport()
    await page.getByRole('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }))
    await expect(next).toBeInViewport({ ratio: 1 })
    await next.click()
    await expect(page.getByText(/^Showing 51 to/)).toBeAttached()
    await expect(rows.nth(1)).toBeInViewport()
  }
})

test('figures that could not be loaded keep the height of their strip', async ({ page }) => {
  const figures = page.getByRole('region', { name: 'Security figures' })
  await page.goto('/security')
  await expect(figures).toContainText('Total Events')
  const usual = (await figures.boundingBox())!.height
  const away = { status: 503, json: { message: 'The database is away', code: 'unavailable' } }
  await page.route(/\/api\/(security|orders)\//, (route) => route.fulfill(away))
  await page.reload()
  await expect(figures).toContainText('The database is away')
  expect(Math.abs((await figures.boundingBox())!.height - usual)).toBeLessThanOrEqual(2)
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/orders/1')
  await expect(page.getByRole('alert')).toContainText('The database is away')
  await expect(page.getByRole('main').getByRole('link', { name: 'Back to Order Management' })).toBeVisible()
})

test('a long title is whole on a phone, on two lines', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 667 })
  await page.goto('/security')
  const title = page.getByRole('heading', { level: 1, name: 'Security & Audit Logs' })
  await expect(title).toBeInViewport({ ratio: 1 })
  expect(await title.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(1)
  expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

test('the chosen tab stays in sight when the window narrows', async ({ page, server }) => {
  const [member] = await server.sql<{ id: string }>('SELECT id FROM members ORDER BY id LIMIT 1')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/users/${member!.id}?tab=history`)
  const tab = page.getByRole('tab', { name: 'KYC History' })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 320, height: 800 })
  await expect(tab).toBeInViewport({ ratio: 1 })
})

test('a very long name of an order’s member leaves the membership id in sight', async ({ page, server }) => {
  const member = await importMember(server, { legalFirstName: 'Maximiliana '.repeat(8).trim() })
  await server.sql(`UPDATE members SET membership_id = 'MB-98765432' WHERE id = $1`, [member.id])
  const { id } = await importOrder(server, member)
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`/orders/${id}`)
  const memberLine = page.getByRole('paragraph').filter({ hasText: 'Ordered by' })
  await expect(memberLine).toContainText(`Ordered by ${member.name} · MB-98765432`)
  await expect(memberLine.getByText('MB-98765432')).toBeInViewport({ ratio: 1 })
  const end = await memberLine.getByText('MB-98765432').evaluate((text) => text.getBoundingClientRect().right)
  expect(end).toBeLessThanOrEqual(375 - 16)
})
