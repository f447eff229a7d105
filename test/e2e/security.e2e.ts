import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { events, actions, eventRows, cards, dialog, raiseEvents } from './support/security-page.ts'

test('Security Events: all columns of what is unresolved (product 5.12)', async ({ page, server }) => {
  const word = await raiseEvents(server, 'critical')
  await page.goto('/security')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security & Audit Logs')
  await expect(page.getByRole('tab')).toHaveText(['Security Events', 'Admin Actions'])
  await expect(page.getByRole('tab', { name: 'Security Events' })).toHaveAttribute('aria-selected', 'true')
  await expect(events(page).getByRole('columnheader')).toHaveText([
    'Severity',
    'Event',
    'Description',
    'IP Address',
    'Date',
    'Actions',
  ])
  await expect(eventRows(page).filter({ hasText: word }).getByRole('cell')).toHaveText([
    'Critical',
    'Document token refused',
    `A document token was refused, ${word}`,
    /192\.0\.2\.7$/,
    /^\w{3} \d\d, \d{4} at \d\d:\d\d$/,
    'Resolve',
  ])
})

test('four exact cards, and a severity filter in the address (product 5.12)', async ({ page, server, operator }) => {
  const many = await raiseEvents(server, 'critical', 51)
  await raiseEvents(server, 'medium')
  await page.goto('/security?tab=nothing&status=worst')
  const figures = await (await operator.get('/api/security/figures')).json()
  for (const name of ['Total Events', 'Critical Events', 'High Severity', 'Unresolved'])
    await expect(cards(page)).toContainText(name)
  await expect(cards(page)).toContainText(/Total Events\d+/)
  expect(figures.critical).toBeGreaterThan(50)
  const filter = page.getByRole('combobox', { name: 'Severity filter' })
  await expect(filter.getByRole('option')).toHaveText(['All Severities', 'Critical', 'High', 'Medium', 'Low'])
  await expect(filter).toHaveValue('')
  for (const severity of ['High', 'Medium', 'Low', 'Critical']) {
    const value = severity.toLowerCase()
    const asked = page.waitForRequest((request) =>
      request.url().includes(`limit=50&page=1&resolved=false&severity=${value}`),
    )
    await filter.selectOption(severity)
    await asked
    await expect(page).toHaveURL(new RegExp(`[?&]status=${value}`))
    await expect(eventRows(page).first()).toContainText(severity)
    await expect(eventRows(page).filter({ hasNotText: severity })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Showing 51 to/)).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^Showing 51 to/)).toBeVisible()
  await page.getByRole('tab', { name: 'Admin Actions' }).click()
  await expect(page).toHaveURL('/security?tab=actions')
  await page.goBack()
  await expect(page.getByText(/^Showing 51 to/)).toBeVisible()
  await server.sql(`DELETE FROM security_events WHERE description LIKE '%' || $1`, [many])
})

test('an event is resolved by keyboard with a note (product 6.10)', async ({ page, server }) => {
  const word = await raiseEvents(server, 'high')
  await page.goto('/security?status=high')
  const row = eventRows(page).filter({ hasText: word })
  await row.getByRole('button', { name: /^Resolve / }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Resolve “Document token refused”?')
  await expect(dialog(page)).toContainText(word)
  await expect(dialog(page).getByLabel('Note')).toBeFocused()
  await page.keyboard.type('An old link, nothing was read')
  const sent = page.waitForRequest('**/api/security/events/*/resolve')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect((await sent).headers()['if-match']).toBe('"1"')
  expect((await sent).postDataJSON()).toEqual({ note: 'An old link, nothing was read' })
  await expectToast(page, 'Security event resolved')
  await expect(dialog(page)).toBeHidden()
  await expect(row).toHaveCount(0)
  await page.getByRole('tab', { name: 'Admin Actions' }).click()
  const logged = actions(page).getByRole('row').filter({ hasText: 'Resolved event' }).first()
  await expect(logged).toContainText('grace')
  await expect(logged).toContainText('Resolved: no → yes')
  await expect(logged).toContainText('Resolution note: none → An old link, nothing was read')
})

test('equal events stand in a row, and are resolved with one note (product 5.12)', async ({ page, server }) => {
  const word = await raiseEvents(server, 'low')
  for (let n = 0; n < 2; n += 1)
    await server.sql(
      `INSERT INTO security_events (severity, event_type, description, ip_address)
       SELECT severity, event_type, description, '192.0.2.8' FROM security_events WHERE description LIKE '%' || $1 LIMIT 1`,
      [word],
    )
  await page.goto('/security?resolved=each')
  await expect(eventRows(page).filter({ hasText: word })).toHaveCount(3)
  await expect(events(page).getByRole('columnheader', { name: 'Select' })).toBeVisible()
  await page.goto('/security')
  const row = eventRows(page).filter({ hasText: word })
  await expect(row).toContainText('3 equal events')
  await expectAccessible(page)
  await row.getByRole('button', { name: /^Resolve / }).click()
  await expect(dialog(page)).toHaveAccessibleName('Resolve 3 × “Document token refused”?')
  await dialog(page).getByRole('button', { name: 'Resolve' }).click()
  await expectToast(page, '3 security events resolved')
  await expect(row).toHaveCount(0)
})

test('the later of two operators reads who resolved the event and when (product 8.5, 8.4)', async ({
  page,
  server,
  operator,
}) => {
  const word = await raiseEvents(server, 'low')
  await page.goto('/security?status=low')
  await eventRows(page).filter({ hasText: word }).getByRole('button').click()
  await dialog(page).getByLabel('Note').fill('Mine')
  const [event] = await server.sql<{ id: string }>(
    `SELECT id::text FROM security_events WHERE description LIKE '%' || $1`,
    [word],
  )
  await operator.post(`/api/security/events/${event!.id}/resolve`, { data: {} })
  await dialog(page).getByRole('button', { name: 'Resolve' }).click()
  await expectToast(page, 'Error', 'Failed to resolve security event')
  await expect(dialog(page).getByRole('alert')).toHaveText(/already resolved \(set by joan on .+ at \d\d:\d\d\)/)
  await expect(dialog(page).getByLabel('Note')).toHaveValue('Mine')
  await expect(dialog(page).getByRole('button', { name: 'Resolve' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(eventRows(page).filter({ hasText: word })).toHaveCount(0)
})

/** The name of who acted is a link too: to what it did. */
const memberLink = 'a[href^="/users/"]:visible'

test('Admin Actions: who did what to whom, in four families (product 5.12, 6.9)', async ({
  page,
  server,
  operator,
}) => {
  const member = await importMember(server)
  await operator.post(`/api/users/${member.id}/ban`, { data: { reason: 'Stolen identity' } })
  await server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, target_type, target_id, details)
     VALUES ('platform', 'platform:shop', 'platform_call', 'user', $1, '{"call": "PUT /members/{id}", "outcome": "created"}'),
       ('platform', 'platform:shop', 'platform_call', 'user', $1 || '-never', $2)`,
    [member.id, '{"call": "PUT /members/{id}", "status": 400, "code": "invalid", "fields": ["email", "emial"]}'],
  )
  await page.goto('/security?tab=actions')
  await expect(actions(page).getByRole('columnheader')).toHaveText([
    'Action',
    'Admin',
    'Target',
    'Details',
    'IP Address',
    'Date',
  ])
  const filter = page.getByRole('combobox', { name: 'Action filter' })
  await expect(filter.getByRole('option')).toHaveText([
    'All Actions',
    'Login',
    'User Management',
    'KYC Actions',
    'Orders',
    'Bank',
    'Token Management',
    'Approvals',
    'Platform Calls',
    'Other',
  ])
  await expect(actions(page).getByRole('row').filter({ hasText: 'joan' }).first()).toBeVisible()
  await expect(actions(page).getByRole('row').filter({ hasText: 'Platform call' })).toHaveCount(0)
  for (const [label, value] of [
    ['Login', 'login'],
    ['KYC Actions', 'approve_kyc'],
    ['Token Management', 'create_token'],
    ['Platform Calls', 'platform_call'],
    ['Other', 'other'],
    ['User Management', 'ban_user'],
  ] as const) {
    const asked = page.waitForRequest((request) => request.url().includes(`action=${value}&limit=50&page=1`))
    await filter.selectOption(label)
    await asked
    await expect(page).toHaveURL(`/security?tab=actions&status=${value}`)
    if (value !== 'platform_call') continue
    const calls = actions(page).getByRole('row').filter({ hasText: member.id })
    await expect(calls.filter({ hasText: 'created' }).getByRole('cell')).toHaveText([
      'Platform call',
      'platform:shop',
      new RegExp(`User ${member.id}$`),
      'PUT /members/{id}: created',
      /None$/,
      /^\w{3} \d\d, \d{4} at \d\d:\d\d$/,
    ])
    const refused = calls.filter({ hasText: `${member.id}-never` })
    await expect(refused).toContainText('PUT /members/{id}: 400 invalidFields: email, emial')
    // There may be no such member.
    await expect(refused.locator(memberLink)).toHaveCount(0)
    await expect(calls.locator(memberLink)).toHaveCount(1)
  }
  await page.reload()
  await expect(filter).toHaveValue('ban_user')
  const row = actions(page).getByRole('row').filter({ hasText: member.id })
  await expect(row.getByRole('cell')).toHaveText([
    'Banned user',
    'joan',
    new RegExp(`User ${member.id}$`),
    'Reason: Stolen identityStatus: Active → Banned',
    /127\.0\.0\.1$/,
    /^\w{3} \d\d, \d{4} at \d\d:\d\d$/,
  ])
  await row.locator(memberLink).press('Enter')
  await expect(page).toHaveURL(`/users/${member.id}`)
})

test('the log is searched by what something was done to (product 5.12)', async ({ page, server, operator }) => {
  const [member, other] = [await importMember(server), await importMember(server)]
  for (const { id } of [member, other])
    await operator.post(`/api/users/${id}/ban`, { data: { reason: 'Stolen identity' } })
  await page.goto('/security?tab=actions')
  await page.getByRole('searchbox', { name: 'Search by target' }).fill(member.id)
  await expect(page).toHaveURL(`/security?tab=actions&target=${member.id}`)
  await expect(actions(page).getByRole('row').filter({ hasText: other.id })).toHaveCount(0)
  await expect(actions(page).getByRole('row').filter({ hasText: member.id })).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search by target' })).toHaveValue(member.id)
})

test('axe finds nothing on either tab and the dialog, wide and narrow (product 3.8)', async ({ page, server }) => {
  for (const severity of ['critical', 'high']) await raiseEvents(server, severity)
  await page.goto('/security?status=critical')
  await expect(eventRows(page).first()).toBeVisible()
  await expectAccessible(page)
  await eventRows(page).first().getByRole('button').click()
  await expect(dialog(page).getByLabel('Note')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/security?tab=actions&status=ban_user')
  await expect(actions(page).getByRole('row').nth(2)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  for (const place of ['/security?status=high', '/security?tab=actions&status=ban_user']) {
    await page.goto(place)
    await expect(page.getByRole('row').nth(1)).toContainText(/\d{4} at/)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})
