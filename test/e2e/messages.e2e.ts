import type { Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { chooseFilter } from './support/filters.ts'
import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import { signCase } from '#test/support/case-tries.ts'
import { newWord, buildSubmission } from './support/members.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Delivery log' })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Details of/ }) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const confirm = (page: Page) => page.getByRole('alertdialog')

/** A member with a banned event that was given up, a paid order's event that waits, a delivered case and a refused result. */
async function insertMessages(server: ConsoleServer) {
  const id = `m-${newWord()}`
  await server.importLines(
    { type: 'member', id, email: `${id}@example.com`, legalFirstName: 'Ana' },
    buildSubmission(id),
  )
  await server.sql(
    `WITH events AS (
       INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
       VALUES ('member.banned', 'member', $1, 1, $2::jsonb), ('member.unbanned', 'member', $1, 2, $2::jsonb) RETURNING *
     ), queued AS (
       INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id,
         ordering_key, state, tries, next_try_at)
       SELECT 'platform', 'out', 1, id, event_id, type, entity_type, entity_id, '1/member/' || $1,
         CASE sequence WHEN 1 THEN 'failed' ELSE 'waiting' END, CASE sequence WHEN 1 THEN 10 ELSE 1 END,
         CASE sequence WHEN 2 THEN now() + interval '299 seconds' END
       FROM events ORDER BY id RETURNING id, state
     ), given_up AS (
       SELECT id FROM queued WHERE state = 'failed'
     ), arrived AS (
       INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state, tries, mac)
       VALUES ('kyc', 'out', 'kyc.submitted', 'member', $1, 1, 'delivered', 1, $3)
     ), refused AS (
       INSERT INTO messages (channel, direction, source, message_id, signature, type, entity_type, entity_id, attempt_number,
         state, note, http_status, latency_ms)
       VALUES ('kyc', 'in', 'standard', 'msg_' || $1, 'invalid', 'kyc.result', 'member', $1, 1, 'refused',
         'The signature is not ours', 401, 3)
     )
     INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms,
       response_excerpt)
     SELECT given_up.id, 'platform', n, false, 'HTTP 503', 503, 120, 'upstream is away'
     FROM given_up, generate_series(9, 10) n`,
    [id, JSON.stringify({ memberId: id, reason: 'ازدواجية الحساب' }), signCase(id)],
  )
  return id
}
const show = (page: Page, id: string, more = '') => page.goto(`/kyc-webhooks?tab=deliveries&search=${id}${more}`)

test('outgoing and incoming messages are one log (product 10.2)', async ({ page, server }) => {
  const id = await insertMessages(server)
  await page.goto('/kyc-webhooks')
  await page.getByRole('tab', { name: 'Delivery Log' }).click()
  await page.getByRole('button', { name: 'No endpoint for events' }).click()
  await expect(page.getByRole('dialog', { name: 'Endpoint for events' })).toContainText('Set PLATFORM_WEBHOOK_URL')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search by whole id' }).fill(id)
  await expect(page).toHaveURL(`/kyc-webhooks?tab=deliveries&search=${id}`)
  await expect(rows(page)).toHaveCount(4)
  const row = (type: string) => rows(page).filter({ hasText: type })
  await expect(row('member.banned')).toContainText(/Sent.*Given up.*HTTP 503.*120 ms.*2 tries/)
  await expect(row('member.banned').getByTitle(/^Last tried \w{3} \d\d, \d{4} at/)).toHaveText('HTTP 503')
  await expect(row('member.unbanned')).toContainText(/Waiting.*Waits for the endpoint.*Not tried yet/)
  await expect(row('kyc.submitted')).toContainText(/to the KYC provider.*attempt 1.*Delivered/)
  await expect(row('kyc.result')).toContainText(
    /Received.*Refused.*Signature invalid.*HTTP 401.*The signature is not ours/,
  )
  await expect(row('kyc.result').getByRole('button', { name: /^Resend/ })).toHaveCount(0)

  await chooseFilter(page, 'Events to the platform')
  await page.getByRole('combobox', { name: 'State filter' }).selectOption('Given up')
  await expect(page).toHaveURL(`/kyc-webhooks?tab=deliveries&search=${id}&kind=event&status=failed`)
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await rows(page).getByRole('link', { name: id }).click()
  await expect(page).toHaveURL(`/users/${id}`)
})

test('a message opens with its body and its tries, and is sent again from there (product 10.2)', async ({
  page,
  server,
}) => {
  const id = await insertMessages(server)
  await show(page, id)
  const open = page.getByRole('button', { name: `Details of member.banned of ${id}` })
  await open.press('Enter')
  const peek = page.getByRole('complementary', { name: /^Peek: / })
  await expect(peek.getByRole('region', { name: 'Body' })).toContainText(
    /"type": "member.banned",[^]*"reason": "ازدواجية/,
  )
  await expect(peek.getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveText([
    /^Try 10HTTP 503120 ms.*automaticupstream is away$/,
    /^Try 9/,
  ])
  await peek.getByRole('button', { name: 'Resend' }).click()
  await expectToast(page, 'Messages Queued', 'goes out again. Events wait until PLATFORM_WEBHOOK_URL is set.')
  await expect(peek).toContainText('Waiting')
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()

  await server.sql(`UPDATE kyc_submissions SET result = 'approved' WHERE member_id = $1`, [id])
  await page.setViewportSize({ width: 1024, height: 560 })
  await page.reload()
  await expect(rows(page).filter({ hasText: 'kyc.submitted' })).toContainText('Decided')
  await page.getByRole('button', { name: `Details of kyc.submitted of ${id}` }).click()
  await expect(peek.getByRole('region', { name: 'Body' })).toContainText('"email": "[redacted]"')
  await expect(peek).toContainText('Decided')
  // However long a message is.
  await expect(peek.getByRole('heading', { name: 'kyc.submitted' })).toBeInViewport()
  await expect(peek.getByRole('button', { name: 'Close' })).toBeInViewport()
})

test('one message or the selected ones are sent again (product 10.2)', async ({ page, server }) => {
  const id = await insertMessages(server)
  await show(page, id)
  const resend = (type: string) => page.getByRole('button', { name: `Resend ${type} of ${id}` })
  const sent: unknown[] = []
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/messages/resend', async (route) => {
    sent.push(route.request().postDataJSON())
    await isHeld.promise
    await route.continue()
  })
  await resend('member.banned').dblclick()
  await expect(resend('member.banned')).toHaveAttribute('aria-busy', 'true')
  await expect(resend('member.unbanned')).toBeDisabled()
  isHeld.resolve()
  await expectToast(page, 'Messages Queued', '1 message goes out again.')
  await expect(rows(page).filter({ hasText: 'member.banned' })).toContainText('Waiting')
  expect(sent).toHaveLength(1)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('checkbox', { name: `Select kyc.submitted of ${id}` }).uncheck()
  await expect(bar(page)).toContainText('3 selected')
  await bar(page).getByRole('button', { name: 'Send again…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Send 3 messages again?')
  await expect(dialog).toContainText('1 of them is left as they are')
  await dialog.getByRole('button', { name: 'Send 3 messages again' }).click()
  await expect(page.getByRole('region', { name: 'Bulk job' })).toContainText('2 of 3 messages queued')
  await page.getByRole('region', { name: 'Bulk job' }).getByRole('button', { name: 'Close' }).click()
})

test('the log shows changes live and says what failed (product 3.4)', async ({ page, server, operator }) => {
  const id = `m-${newWord()}`
  await server.importLines({ type: 'member', id, email: `${id}@example.com` })
  let isDown = true
  const isList = (url: URL) => url.pathname.replace(/\/$/, '') === '/api/messages'
  await page.route(isList, (route) =>
    isDown ? route.fulfill({ status: 503, json: { message: 'The database is away', code: 'any' } }) : route.continue(),
  )
  const endpoint = {
    host: 'shop.example',
    pausedAt: '2026-05-01T09:00:00.000Z',
    waiting: 1,
    oldestWaitingAt: null,
    failed: 3,
  }
  await page.route('**/api/messages/endpoint', (route) => route.fulfill({ json: endpoint }))
  await show(page, id)
  const paused = page.getByRole('button', { name: 'Events paused' })
  await paused.click()
  await expect(page.getByRole('dialog', { name: 'Endpoint for events' })).toContainText(
    /Paused since May 01, 2026.*shop\.example.*1 event waits, 3 given up\. Resume with npm run admin -- events resume/,
  )
  await expect(table(page).getByRole('alert')).toContainText('could not be loaded: The database is away')
  isDown = false
  await page.reload()
  await expect(table(page)).toContainText('No message matches')
  await expectLive(page)
  await operator.post(`/api/users/${id}/ban`, { data: { reason: 'Fraud' } })
  await expect(rows(page)).toHaveCount(1)
  const refusal = { message: 'Nothing to send again: these messages are being sent now', code: 'nothing_to_resend' }
  await page.route('**/api/messages/resend', (route) => route.fulfill({ status: 409, json: refusal }))
  await page.getByRole('button', { name: `Resend member.banned of ${id}` }).click()
  await expectToast(page, 'Resend Failed', refusal.message)
  await paused.click()
  await page.getByRole('link', { name: '3 given up' }).click()
  await expect(page).toHaveURL('/kyc-webhooks?tab=deliveries&kind=event&status=failed')
})

test('axe finds nothing in the delivery log and a message, wide and narrow (product 3.8)', async ({ page, server }) => {
  const id = await insertMessages(server)
  await show(page, id)
  await page.getByRole('checkbox', { name: `Select member.banned of ${id}` }).check()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.getByRole('button', { name: `Details of member.banned of ${id}` }).click()
  await expect(page.getByRole('list', { name: 'Attempts' })).toBeVisible()
  await expectAccessible(page)
})

test('an outdated event is sent again only after a warning', async ({ page, server }) => {
  const id = await insertMessages(server)
  await server.sql(
    `UPDATE messages SET state = 'delivered', delivered_at = now(), next_try_at = null
     WHERE entity_id = $1 AND type = 'member.unbanned'`,
    [id],
  )
  await show(page, id)
  const row = rows(page).filter({ hasText: 'member.banned' })
  await row.getByRole('button', { name: /^Resend/ }).click()
  await expect(confirm(page)).toContainText('Resend 1 message?')
  await expect(confirm(page).getByRole('note')).toContainText('has since had a newer event')
  await expectAccessible(page)
  await confirm(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(row).toContainText('Given up')
  await row.getByRole('button', { name: /^Resend/ }).click()
  await confirm(page).getByRole('button', { name: 'Resend 1 message' }).click()
  await expect(confirm(page)).toHaveCount(0)
  await expect(row).toContainText('Waiting')
})

test('events that were given up are counted at the bell, and lead to their list', async ({ page, server }) => {
  const id = await insertMessages(server)
  await page.goto('/')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: /not delivered to the platform/ }).click()
  await expect(page).toHaveURL(/\/kyc-webhooks\?.*status=failed/)
  await expect(rows(page).filter({ hasText: id })).toHaveCount(1)
})
