import { stopClock } from './support/clock.ts'
import { expect, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { findRow, importToken, newAddress, toggle } from './support/tokens.ts'

test('a token is switched off and on, and a refusal names the first operator (product 7.5, 9.3)', async ({
  page,
  server,
  operator,
}) => {
  const { projectName } = await importToken(server)
  await page.goto('/tokens')
  const state = findRow(page, projectName).getByRole('cell').nth(5)
  await toggle(page, 'Deactivate', projectName).click()
  await expectToast(page, 'Token status updated successfully', `${projectName} (SOLR) · Inactive`)
  await expect(state).toHaveText('Inactive')
  await expect(toggle(page, 'Activate', projectName)).toBeFocused()
  await toggle(page, 'Activate', projectName).click()
  await expect(state).toHaveText('Active')

  const [token] = await server.sql<{ id: string }>('SELECT id::text FROM tokens WHERE project_name = $1', [projectName])
  // The other operator is first by a moment: the event of it is still under way.
  await page.route(`**/api/tokens/earning/${token!.id}`, async (route) => {
    await operator.patch(`/api/tokens/earning/${token!.id}`, { data: { isActive: false } })
    await route.continue()
  })
  await toggle(page, 'Deactivate', projectName).click()
  await expectToast(page, 'Error', /Failed to update token status\. .*last set by joan on .*: now inactive/)
  await expect(state).toHaveText('Inactive')
})

test('a double click switches a token once', async ({ page, server }) => {
  const { projectName } = await importToken(server)
  await page.goto('/tokens')
  const state = findRow(page, projectName).getByRole('cell').nth(5)
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/tokens/earning/*', async (route) => {
    await isHeld.promise
    await route.continue()
  })
  const button = toggle(page, 'Deactivate', projectName)
  await button.hover()
  await button.dblclick()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  isHeld.resolve()
  await expect(state).toHaveText('Inactive')
  await expect(toggle(page, 'Activate', projectName)).toBeEnabled()
  expect(await server.sql('SELECT version FROM tokens WHERE project_name = $1', [projectName])).toEqual([
    { version: 2 },
  ])
})

test('a double click on Add Token adds one and says so', async ({ page }) => {
  await page.goto('/tokens?add=true')
  const dialog = page.getByRole('dialog', { name: 'Add Token' })
  await dialog.getByLabel('Project Name').fill(newWord())
  await dialog.getByLabel('Token Symbol').fill('ONCE')
  await dialog.getByLabel('Contract Address').fill(newAddress())
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  // Both clicks come before the browser draws again, as on a busy machine.
  await dialog.getByRole('button', { name: 'Add Token' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expectToast(page, 'Token created successfully')
  await expect(dialog).toHaveCount(0)
  expect(posts).toEqual(['/api/tokens/earning'])
})

test('a failed switch moves no other button under the pointer', async ({ page, server }) => {
  const { projectName } = await importToken(server)
  await page.route('**/api/tokens/earning/*', (route) =>
    route.fulfill({ status: 503, json: { message: 'The database is away', code: 'database_unavailable' } }),
  )
  await page.goto('/tokens')
  const button = toggle(page, 'Deactivate', projectName)
  await button.hover()
  const before = await button.boundingBox()
  await button.click()
  await expectToast(page, 'Error', 'The database is away')
  expect(await button.boundingBox()).toEqual(before)
})

test('a token switched off by mistake is switched on again by Undo', async ({ page, server }) => {
  const { projectName } = await importToken(server)
  await page.clock.install()
  await page.goto('/tokens')
  const state = findRow(page, projectName).getByRole('cell').nth(5)
  await expect(state).toHaveText('Active')
  // The toast would close itself after 5 seconds, on a slow machine before Undo is pressed.
  await stopClock(page)
  await toggle(page, 'Deactivate', projectName).click()
  const undo = page.getByRole('button', { name: 'Undo', disabled: false })
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return undo.count()
    })
    .toBe(1)
  await expect(state).toHaveText('Inactive')
  await undo.click()
  await page.clock.resume()
  await expect(state).toHaveText('Active')
  await expectToast(page, 'Token status updated successfully', `${projectName} (SOLR) · Active`)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
})
