import { expect, expectAccessible, expectLive, expectToast, test } from './support/harness.ts'
import {
  importCases,
  button,
  caseName,
  reason,
  findCaseWithoutSelfie,
  findResubmittedCase,
  readVerification,
} from './support/kyc-cases.ts'

test('by keyboard alone the oldest case is approved, and the next one opens by itself (product 4.2, 9.3)', async ({
  page,
  server,
}) => {
  const [first, second, third] = await importCases(server, 3)
  await page.goto('/kyc?tab=verifications&review=next')
  await expect(caseName(page)).toHaveText(first.name)
  await expect(caseName(page)).toBeFocused()
  await expect(page).toHaveURL(`/kyc?tab=verifications&review=${first.verification}`)
  await expect(page.getByRole('region', { name: /Entered by member/ })).toContainText('Mar 14, 1991')
  await expect(page.getByText(/^Yours until \d\d:\d\d$/)).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Approve')).toBeFocused()
  await page.keyboard.press('Control+a')
  await expect(button(page, 'Cancel')).toBeHidden()
  await page.keyboard.press('a')
  await expect(page.getByRole('group', { name: `Approve KYC of ${first.name}?` })).toBeVisible()
  expect((await readVerification(server, first.verification))?.status).toBe('pending')
  const sent = page.waitForRequest(`**/verifications/${first.verification}/review`)
  await page.keyboard.press('Enter')
  // It has no documents: that is said, and confirmed by a second press.
  await expect(page.getByRole('alert')).toContainText(
    'Document type, Identity front and Selfie are missing. Press again to approve anyway.',
  )
  expect((await readVerification(server, first.verification))?.status).toBe('pending')
  await expect(button(page, 'Approve anyway')).toBeEnabled()
  await page.keyboard.press('Enter')
  expect((await sent).headers()['if-match']).toMatch(/^"\d+"$/)
  await expectToast(page, 'KYC Approved Successfully')
  await expect(caseName(page)).toHaveText(second!.name)
  await expect(caseName(page)).toBeFocused()
  await page.keyboard.press('n')
  await expect(caseName(page)).toHaveText(third!.name)
  await expect(page).toHaveURL(`/kyc?tab=verifications&review=${third!.verification}`)
  await page.reload()
  await expect(caseName(page)).toHaveText(third!.name)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/kyc?tab=verifications')
  await expect(page.getByRole('tab', { name: 'Verifications' })).toHaveAttribute('aria-selected', 'true')
  const held = () => server.sql('SELECT FROM kyc_claims WHERE verification_id = $1', [third!.verification])
  await expect.poll(async () => (await held()).length).toBe(0)
  expect(await readVerification(server, first.verification)).toMatchObject({ status: 'approved', by: 'grace' })
  expect(await readVerification(server, second!.verification)).toMatchObject({ status: 'pending' })
})

test('a key that is pressed as soon as the buttons of a case show opens its form (product 5.10)', async ({
  page,
  server,
}) => {
  const [one] = await importCases(server, 1)
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const button = document.querySelector('[data-action=reject]:enabled')
      if (!button) return
      observer.disconnect()
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }))
    })
    observer.observe(document, { childList: true, subtree: true, attributes: true })
  })
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(reason(page)).toBeFocused()
})

test('two operators are given different cases', async ({ page, server, operator }) => {
  const [first, second] = await importCases(server, 2)
  expect(await (await operator.post('/api/kyc/cases/claim-next')).json()).toMatchObject({
    case: { verification: { id: first.verification } },
  })
  await page.goto('/kyc?review=next')
  await expect(caseName(page)).toHaveText(second!.name)
})

test('a case that another operator has can be looked at, and taken once it is free (product 5.10)', async ({
  page,
  server,
  operator,
}) => {
  const [first] = await importCases(server, 1)
  await operator.post(`/api/kyc/cases/${first.verification}/claim`)
  await page.goto(`/kyc?review=${first.verification}`)
  const note = page.getByRole('alert').filter({ hasText: 'joan is reviewing this case, until ' })
  await expect(caseName(page)).toHaveText(first.name)
  await expect(page.getByRole('region', { name: /Entered by member/ })).toContainText('Mar 14, 1991')
  await expect(button(page, 'Approve')).toBeDisabled()
  await expectAccessible(page)
  // Only once it is answered is the case released: a claim that comes later takes it.
  const refused = page.waitForResponse((reply) => reply.url().endsWith('/claim') && reply.status() === 409)
  await note.getByRole('button', { name: 'Try Again' }).click()
  await refused
  await expect(note).toBeVisible()
  await operator.post(`/api/kyc/cases/${first.verification}/release`)
  await note.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText(/^Yours until/)).toBeVisible()
  await expect(button(page, 'Approve')).toBeEnabled()
})

test('a page that is closed or loaded again releases its case (product 5.10)', async ({ page, server }) => {
  const [one] = await importCases(server, 1)
  const claims = () => server.sql('SELECT FROM kyc_claims WHERE verification_id = $1', [one.verification])
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  expect(await claims()).toHaveLength(1)
  await page.goto('about:blank')
  await expect.poll(claims).toHaveLength(0)
})

test('a case decided meanwhile says by whom and leads to the next (product 7.1)', async ({
  page,
  server,
  operator,
}) => {
  const [first, second] = await importCases(server, 2)
  // The news of the first case never comes here, or it would reload itself before it is decided.
  for (const news of [/\/api\/kyc\/verifications\/?\?/, `**/api/users/${first.id}`])
    await page.route(news, (route) => route.fulfill({ status: 503, json: { message: 'Away' } }))
  await page.goto('/kyc?review=next')
  await expectLive(page)
  await expect(caseName(page)).toHaveText(first.name)
  await page.keyboard.press('r')
  await reason(page).fill('Blurred')
  // Failing is not being refused: nothing is decided, and it can be sent again.
  await page.route('**/review', (route) => route.fulfill({ status: 503, json: { message: 'The database is away' } }))
  await button(page, 'Reject').click()
  await expectToast(page, 'Error', 'Failed to process KYC review')
  await expect(page.getByRole('alert').filter({ hasText: 'The database is away' })).toBeVisible()
  await expect(reason(page)).toHaveValue('Blurred')
  await page.unroute('**/review')
  await server.sql('UPDATE kyc_verifications SET version = version + 1, kyc_score = 88 WHERE id = $1', [
    first.verification,
  ])
  await button(page, 'Reject').click()
  await expect(page.getByRole('alert').filter({ hasText: 'changed meanwhile' })).toBeVisible()
  await button(page, 'Reload').click()
  await expect(page.getByText('88 of 100')).toBeVisible()
  await expect(reason(page)).toBeFocused()
  await expect(reason(page)).toHaveValue('Blurred')
  // Again only the decision finds out.
  await operator.post(`/api/users/${first.id}/kyc/approve`)
  await button(page, 'Reject').click()
  const lost = page.getByRole('alert').filter({ hasText: 'already approved (set by joan' })
  await expect(lost).toBeVisible()
  await expect(reason(page)).toHaveValue('Blurred')
  await expect(button(page, 'Reject')).toBeDisabled()
  await expect(lost.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('n')
  await expect(caseName(page)).toHaveText(second!.name)
  await page.keyboard.press('r')
  await expect(reason(page)).toHaveValue('')
  await reason(page).fill('Blurred')
  await operator.post(`/api/users/${second!.id}/kyc/approve`)
  await expect(lost).toBeVisible()
  await expect(reason(page)).toBeFocused()
  await expect(reason(page)).toHaveValue('Blurred')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Next').last()).toBeFocused()
})

test('passing over keeps the case when others hold all the rest', async ({ page, server, operator }) => {
  const [one] = await importCases(server, 1)
  await operator.get('/api/auth/user')
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(caseName(page)).toHaveText(one.name)
  await server.sql(
    `INSERT INTO kyc_claims SELECT v.id, a.id, now() + interval '10 minutes' FROM kyc_verifications v, admins a
     WHERE v.status = 'pending' AND v.id <> $1 AND a.username = 'joan' ON CONFLICT DO NOTHING`,
    [one.verification],
  )
  await page.keyboard.press('n')
  await expectToast(page, 'No other case is free')
  await expect(caseName(page)).toHaveText(one.name)
  await expect
    .poll(
      async () => (await server.sql('SELECT FROM kyc_claims WHERE verification_id = $1', [one.verification])).length,
    )
    .toBe(1)
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Approve anyway')).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'All caught up' })).toBeFocused()
  await expect(page.getByText(/\d+ waiting, in the hands of other operators/)).toBeVisible()
  await server.sql(`DELETE FROM kyc_claims`)
  await button(page, 'Look for the Next Case').click()
  await expect(caseName(page)).toBeFocused()
})

test('a lease that ran out is taken again with the next key', async ({ page, server, operator }) => {
  const [first, second] = await importCases(server, 2)
  await page.clock.install()
  await page.goto('/kyc?review=next')
  await expect(caseName(page)).toHaveText(first.name)
  const claims: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/claim')) claims.push(request.url())
  })
  await page.keyboard.press('Shift')
  await page.clock.fastForward('11:00')
  await expect(page.getByText(/Your reservation ended at/)).toBeVisible()
  expect(claims).toEqual([])
  await page.keyboard.press('Shift')
  await expect(page.getByText(/Yours until/)).toBeVisible()
  await page.keyboard.press('Shift')
  expect(claims).toHaveLength(1)
  await server.sql(`UPDATE kyc_claims SET claimed_until = now() - interval '1 second' WHERE verification_id = $1`, [
    first.verification,
  ])
  await operator.post(`/api/kyc/cases/${first.verification}/claim`)
  await page.clock.fastForward('11:00')
  await page.keyboard.press('Shift')
  await expect(page.getByRole('alert').filter({ hasText: 'joan is reviewing this case' })).toBeVisible()
  await expect(button(page, 'Approve')).toBeDisabled()
  await page.keyboard.press('n')
  await expect(caseName(page)).toHaveText(second!.name)
})

test('an unknown case says so and leads to the next', async ({ page }) => {
  await page.goto('/kyc?review=999999999')
  await expect(page.getByRole('alert')).toContainText('Verification not found')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/kyc')
})

test('axe finds nothing in review mode, wide and narrow (product 3.8)', async ({ page, server }) => {
  const { id } = await findResubmittedCase(server)
  const lacking = await findCaseWithoutSelfie(server)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(`/kyc?review=${lacking.id}`)
    await expect(page.getByText('Selfie is missing.')).toBeVisible()
    await expectAccessible(page)
    await page.goto(`/kyc?review=${id}`)
    await expect(page.getByRole('img').first()).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByRole('region', { name: 'KYC review' })).toHaveAttribute('aria-busy', 'false')
    await page.keyboard.press('r')
    await page.keyboard.press('Alt+3')
    await expect(reason(page)).not.toHaveValue('')
    await expectAccessible(page)
  }
})
