import type { APIRequestContext, Page } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importMember, newWord, buildSubmission } from './support/members.ts'
import { insertTriesSql, signCase } from '#test/support/case-tries.ts'

const cards = (page: Page) => page.getByRole('region', { name: 'KYC webhook figures' })
const log = (page: Page) => page.getByRole('region', { name: 'Recent Webhook Logs' })
const failures = (page: Page) => page.getByRole('region', { name: 'Recent Failures' })
const rows = (page: Page) =>
  log(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
const findRow = (page: Page, userId: string) => rows(page).filter({ hasText: userId })
const userId = (page: Page) => page.getByRole('textbox', { name: 'User ID' })
const submit = (page: Page) => page.getByRole('button', { name: 'Submit KYC' })
const isLogs = (url: URL) => url.pathname.startsWith('/api/kyc/webhook-logs')

/** A member who submitted; what the sandbox provider answers is told by the last character of the id. */
async function importCase(server: ConsoleServer, lastCharacter: 'accepted' | 'd' | 'f'): Promise<string> {
  const word = newWord()
  const id = lastCharacter === 'accepted' ? `m-${word}` : `m-${word}${lastCharacter}`
  await server.importLines({ type: 'member', id, email: `${word}@example.com` }, buildSubmission(id))
  return id
}

const send = (operator: APIRequestContext, id: string) =>
  operator.post('/api/kyc/submit-for-verification', { data: { userId: id } })

/** An attempt as the server writes it down; `unreached` gives its case up as well. */
async function insertAttempts(
  server: ConsoleServer,
  id: string,
  given: { success: boolean; count?: number; ago?: string },
) {
  const { success, count = 1, ago = '0 seconds' } = given
  await server.sql(insertTriesSql, [id, success, count, ago, 'Timed out after 10 s', signCase(id)])
}

test.describe('an empty console', () => {
  test.use({ data: 'empty' })
  test.afterEach(({ server }) => server.sql('WITH gone AS (DELETE FROM messages) DELETE FROM members'))

  test('no attempts yet says so, then exact cards and the first 10 attempts (product 5.11, 14, 11.1)', async ({
    page,
    server,
  }) => {
    await page.goto('/kyc-webhooks')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('KYC Webhooks')
    await expect(log(page)).toContainText('No webhook logs found')
    await expect(failures(page)).toContainText('No failures')
    await expect(cards(page)).toContainText(/Total Attempts0.*Successful0.*Failed0.*Success Rate–/)
    await page.goto('/kyc-webhooks?unreached=24h')
    await expect(log(page)).toContainText('No case that failed in the last 24 hours still needs delivery.')

    // Of what failed before, the list must not say that it has arrived.
    const member = await importMember(server)
    await server.importLines(buildSubmission(member.id))
    await insertAttempts(server, member.id, { success: false, ago: '3 days' })
    await page.reload()
    await expect(failures(page)).toContainText(member.id)
    await expect(log(page)).toContainText('Older failures are not in this list.')
    await server.sql('DELETE FROM messages')
    await page.goto('/kyc-webhooks')
    await insertAttempts(server, member.id, { success: true, count: 11, ago: '1 hour' })
    await insertAttempts(server, member.id, { success: false })
    await page.reload()
    await expect(cards(page)).toContainText(
      /Total Attempts12.*Successful11.*91\.7% of all.*Failed1.*8\.3% of all.*Success Rate91\.7%/,
    )
    await expect(rows(page)).toHaveCount(10)
    await expect(log(page)).toContainText('The newest 10 of 12 attempts')
    await expect(log(page).getByRole('columnheader')).toHaveText(['Status', 'User', 'Response', 'Date', 'Actions'])
    await expect(rows(page).first().getByRole('cell')).toHaveText([
      'Failed',
      `${member.id}Attempt 1, try 1`,
      'No answer10,004 msDetailsTimed out after 10 s',
      /^\w{3} \d\d, \d{4} at \d\d:\d\dautomatic$/,
      'Retry',
    ])
    await rows(page)
      .nth(1)
      .getByRole('button', { name: /^Details/ })
      .click()
    await expect(page.getByRole('dialog')).toContainText('{"status":"accepted"}')
    await page.keyboard.press('Escape')
    await expect(failures(page).getByRole('listitem')).toHaveCount(1)
    await expect(failures(page).getByRole('listitem')).toContainText('Timed out after 10 s')

    await userId(page).fill(member.id)
    await page.keyboard.press('Enter')
    await expectToast(page, 'KYC Submission Failed', 'KYC_WEBHOOK_URL')
    await expect(userId(page)).toHaveValue(member.id)
    await rows(page)
      .first()
      .getByRole('button', { name: `Retry ${member.id}` })
      .click()
    await expectToast(page, 'Retry Failed', 'KYC_WEBHOOK_URL')
    await rows(page).first().getByRole('link').click()
    await expect(page).toHaveURL(`/users/${member.id}`)
  })
})

test('Submit KYC needs a User ID, sends one case at a time and tells how it went (product 9.5, 9.3)', async ({
  page,
  server,
}) => {
  const [taken, refused] = [await importCase(server, 'accepted'), await importCase(server, 'd')]
  const stranger = await importMember(server)
  await page.goto('/kyc-webhooks')
  await userId(page).fill('   ')
  await submit(page).click()
  await expect(userId(page)).toHaveAccessibleDescription(/Please enter a valid User ID/)
  await expect(userId(page)).toBeFocused()

  const sent: unknown[] = []
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/kyc/submit-for-verification', async (route) => {
    sent.push(route.request().postDataJSON())
    await isHeld.promise
    await route.continue()
  })
  await userId(page).fill(` ${taken} `)
  await submit(page).dblclick()
  await expect(submit(page)).toHaveAttribute('aria-busy', 'true')
  await userId(page).press('Enter')
  isHeld.resolve()
  await expectToast(page, 'KYC Submitted', taken)
  await expect(findRow(page, taken)).toContainText(/Success.*HTTP 202.*by grace/)
  await expect(userId(page)).toHaveValue('')
  expect(sent).toEqual([{ userId: taken }])

  await userId(page).fill(refused)
  await submit(page).click()
  await expectToast(page, 'KYC Submission Failed', 'HTTP 500')
  await expect(findRow(page, refused)).toContainText(/Failed.*HTTP 500.*Next try/)
  await expect(failures(page).getByRole('listitem').first()).toContainText(refused)
  await userId(page).fill(stranger.id)
  await submit(page).click()
  await expectToast(page, 'KYC Submission Failed', 'This user has never submitted KYC')
  await userId(page).fill('nobody-of-that-id')
  await submit(page).click()
  await expectToast(page, 'KYC Submission Failed', 'not found')
})

test('a failed attempt is retried from either card (product 7.7, 9.3)', async ({ page, server, operator }) => {
  const [again, fails] = [await importCase(server, 'f'), await importCase(server, 'd')]
  await send(operator, again)
  await send(operator, fails)
  // The queue would try them again after half a minute.
  await server.sql(`UPDATE messages SET next_try_at = now() + interval '1 hour' WHERE entity_id IN ($1, $2)`, [
    again,
    fails,
  ])
  await page.goto('/kyc-webhooks')
  const [inLog, inFailures] = [log(page), failures(page)].map((card) =>
    card.getByRole('button', { name: `Retry ${again}` }),
  )
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/kyc/webhook-retry', async (route) => {
    await isHeld.promise
    await route.continue()
  })
  await inLog!.focus()
  await page.keyboard.press('Enter')
  await expect(inLog!).toHaveAttribute('aria-busy', 'true')
  await expect(inFailures!).toHaveAttribute('aria-busy', 'true')
  isHeld.resolve()
  await expectToast(page, 'Webhook Retry Succeeded', again)
  await expect(inLog!).toHaveCount(0)
  await expect(inFailures!).toHaveCount(0)
  // That of the next row that has one.
  await expect(
    log(page)
      .getByRole('button', { name: /^Retry / })
      .and(page.locator(':focus')),
  ).toBeVisible()
  await expect(findRow(page, again).first()).toContainText(/Success.*try 2.*by grace/)

  await failures(page)
    .getByRole('button', { name: `Retry ${fails}` })
    .click()
  await expectToast(page, 'Webhook Retry Failed', 'HTTP 500')
  await expect(findRow(page, fails).first()).toContainText('try 2')
  const failed = failures(page).getByRole('listitem').filter({ hasText: fails })
  await expect(failed).toHaveText([/try 2.*Retry$/, /try 1.*retried$/])
  const retry = log(page).getByRole('button', { name: `Retry ${fails}` })
  await expect(retry).toHaveCount(1)
  const refusal = { message: 'An attempt to send this case is under way', code: 'delivery_under_way' }
  await page.route('**/api/kyc/webhook-retry', (route) => route.fulfill({ status: 409, json: refusal }))
  await retry.click()
  await expectToast(page, 'Retry Failed', refusal.message)
  await expect(retry).toBeEnabled()
})

test('the log alone is fetched again every 10 s while in sight (product 8.2, 14, 2.2)', async ({ page, server }) => {
  const [known, next] = [await importCase(server, 'accepted'), await importCase(server, 'accepted')]
  await insertAttempts(server, known, { success: true })
  const asked: string[] = []
  const polls: { isPassive: boolean }[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (isLogs(url)) polls.push({ isPassive: request.headers()['x-passive'] === '1' })
    else if (/^\/api\/(?!auth|live|views)/.test(url.pathname)) asked.push(url.pathname + url.search)
  })
  const setSight = (state: 'visible' | 'hidden') =>
    page.evaluate((sight) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => sight })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  // Without the event stream, whose own clock would run ahead too, nothing but the poll can ask.
  await page.route('**/api/live', (route) => route.abort())
  await page.clock.install()
  await page.goto('/kyc-webhooks')
  await expect(findRow(page, known)).toBeVisible()
  await expect(cards(page)).toContainText(/Total Attempts\d/)
  expect(polls).toEqual([{ isPassive: false }])
  // What lies over every screen loads last.
  await expect.poll(() => asked).toContainEqual(expect.stringMatching(/^\/api\/bulk/))
  const atFirst = asked.length

  await insertAttempts(server, next, { success: true })
  await page.clock.runFor(10_000)
  await expect(findRow(page, next)).toBeVisible()
  await setSight('hidden')
  const whenHidden = polls.length
  await page.clock.runFor(30_000)
  expect(polls).toHaveLength(whenHidden)
  let status = 503
  await page.route(isLogs, (route) =>
    route.fulfill({ status, json: { message: status === 503 ? 'The database is away' : 'Unauthorized', code: 'any' } }),
  )
  await setSight('visible')
  await expect(log(page).getByRole('alert')).toContainText('could not be refreshed: The database is away')
  await expect(findRow(page, next)).toBeVisible()
  expect(polls.at(-1)).toEqual({ isPassive: true })
  expect(asked.slice(atFirst)).toEqual([])
  status = 401
  await page.clock.runFor(10_000)
  await expectToast(page, 'Unauthorized', 'You are logged out. Redirecting to login...')
})

test('the notice’s list shows the cases not reached within 24 hours (product 3.6)', async ({ page, server }) => {
  const [id, taken] = [await importCase(server, 'd'), await importCase(server, 'accepted')]
  await insertAttempts(server, id, { success: false })
  await insertAttempts(server, taken, { success: true })
  await server.sql(`UPDATE messages SET tries = 6, last_failed_at = now() WHERE channel = 'kyc' AND entity_id = $1`, [
    id,
  ])
  await page.goto('/kyc-webhooks?unreached=24h&kept=1')
  await expect(findRow(page, id)).toContainText('Failed')
  await expect(rows(page).filter({ hasText: 'Success' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await expect(page).toHaveURL('/kyc-webhooks?kept=1')
  await expect(findRow(page, taken)).toBeVisible()
  await expect(log(page)).toBeFocused()
})

test('axe finds nothing on KYC Webhooks, wide and narrow (product 3.8)', async ({ page, server, operator }) => {
  const id = await importCase(server, 'd')
  await send(operator, id)
  await page.goto('/kyc-webhooks?unreached=24h')
  await submit(page).click()
  await findRow(page, id)
    .first()
    .getByRole('button', { name: /^Details/ })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
