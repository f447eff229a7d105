import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { addApp, createOperator, givePassword, showCode } from './support/factors.ts'

test.use({ isSignedIn: false })

const heading = { level: 1, name: 'Confirm it’s you' } as const

test('after the password a code completes the sign-in at its path (product 2.8)', async ({ page, server, request }) => {
  const username = await createOperator(server)
  const { secret } = await addApp(request, server, username)
  await page.goto('/orders')
  await givePassword(page, username)
  await expect(page.getByRole('heading', heading)).toBeVisible()
  const field = page.getByLabel('Code', { exact: true })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  // At an address no passkey is offered.
  await expect(page.getByRole('button', { name: 'Use Passkey' })).toHaveCount(0)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is not valid')).toBeVisible()
  await expectAccessible(page)
  await field.fill(` ${showCode(secret, 1).replace(/^(...)/, '$1 ')} `)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order Management')
})

test('a recovery code stands in for the factor, once (product 2.8)', async ({ page, server, request }) => {
  const username = await createOperator(server)
  const { recoveryCodes } = await addApp(request, server, username)
  await page.goto('/')
  await givePassword(page, username)
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await page.keyboard.type(recoveryCodes[0]!.toUpperCase())
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
})

test('a refused code is not held against the recovery code that follows it', async ({ page, server, request }) => {
  const username = await createOperator(server)
  await addApp(request, server, username)
  await page.goto('/')
  await givePassword(page, username)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  const refusal = page.getByText('This code is not valid')
  await expect(refusal).toBeVisible()
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await expect(refusal).toHaveCount(0)
  await expect(page.getByLabel('Recovery code')).not.toHaveAttribute('aria-invalid')
})

test('where the five minutes are over the sign-in begins again with the password', async ({
  page,
  server,
  request,
}) => {
  const username = await createOperator(server)
  const { secret } = await addApp(request, server, username)
  await page.goto('/')
  await givePassword(page, username)
  await expect(page.getByRole('heading', heading)).toBeVisible()
  await page.context().clearCookies()
  await page.getByLabel('Code', { exact: true }).fill(showCode(secret, 1))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Login failed', 'The second step has to follow within 5 minutes')
  await expect(page.getByLabel('Username')).toBeFocused()
})

test('signing in again in place asks for the factor too, and keeps what was typed', async ({
  page,
  server,
  request,
}) => {
  const username = await createOperator(server)
  const { recoveryCodes } = await addApp(request, server, username)
  await page.goto('/account')
  await givePassword(page, username)
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'Change Password' }).click()
  const form = page.getByRole('dialog', { name: 'Change your password' })
  await form.getByLabel('New password', { exact: true }).fill('a walk along the river at dusk')
  await form.getByLabel('Current password', { exact: true }).fill('seven grey herons at noon')
  await server.sql('DELETE FROM sessions WHERE admin_id = (SELECT id FROM admins WHERE username = $1)', [username])
  await form.getByRole('button', { name: 'Change Password' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in to go on' })
  await again.getByLabel('Password').fill('seven grey herons at noon')
  await page.keyboard.press('Enter')
  await again.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await again.getByLabel('Recovery code').fill(recoveryCodes[1]!)
  await page.keyboard.press('Enter')
  await expect(again).toHaveCount(0)
  await expect(form.getByLabel('New password', { exact: true })).toHaveValue('a walk along the river at dusk')
})

test.describe('on a console without demo data', () => {
  test.use({ data: 'empty' })

  test('a change that needs a recent sign-in asks for it, and then goes on (product 2.9)', async ({ page, server }) => {
    const username = await createOperator(server)
    await page.goto('/kyc-webhooks?tab=endpoints')
    await givePassword(page, username)
    await page.getByRole('button', { name: 'Add Endpoint' }).click()
    await server.sql(
      `UPDATE sessions SET authenticated_at = now() - interval '16 minutes'
       WHERE admin_id = (SELECT id FROM admins WHERE username = $1)`,
      [username],
    )
    const form = page.getByRole('dialog', { name: 'Add Endpoint' })
    await form.getByLabel('Name').fill(`Ledger ${username}`)
    await form.getByLabel('Address').fill('https://ledger.example.com/events')
    await form.getByLabel('Address').press('Enter')
    const asking = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await expect(asking.getByLabel('Password')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await expect(asking.getByText('This password is not right')).toBeVisible()
    await asking.getByLabel('Password').fill('seven grey herons at noon')
    await page.keyboard.press('Enter')
    await expect(asking).toHaveCount(0)
    await expect(page.getByText(/whsec_/)).toBeVisible()
  })
})
