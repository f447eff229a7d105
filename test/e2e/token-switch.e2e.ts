import { expect, expectToast, test } from './support/harness.ts'
import { findRow, importToken, toggle } from './support/tokens.ts'

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
  const button = toggle(page, 'Deactivate', projectName)
  await button.hover()
  const { x, y, width, height } = (await button.boundingBox())!
  for (const pause of [0, 150]) {
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.waitForTimeout(pause)
  }
  await expect(state).toHaveText('Inactive')
  await expect(toggle(page, 'Activate', projectName)).toBeEnabled()
  await expect(state).toHaveText('Inactive')
  expect(await server.sql('SELECT version FROM tokens WHERE project_name = $1', [projectName])).toEqual([
    { version: 2 },
  ])
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
  await page.goto('/tokens')
  const state = findRow(page, projectName).getByRole('cell').nth(5)
  await toggle(page, 'Deactivate', projectName).click()
  await expect(state).toHaveText('Inactive')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(state).toHaveText('Active')
  await expectToast(page, 'Token status updated successfully', `${projectName} (SOLR) · Active`)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
})

for (const [delayMs, gapMs, size] of [
  [300, 120, { width: 1440, height: 900 }],
  [0, 250, { width: 375, height: 667 }],
] as const)
  test(`a double click on Undo of ${gapMs} ms presses it once and nothing beneath it`, async ({ page, server }) => {
    await page.setViewportSize(size)
    const { projectName } = await importToken(server)
    const versions = () =>
      server.sql<{ version: number }>('SELECT version FROM tokens WHERE project_name <> $1 ORDER BY id', [projectName])
    await page.goto('/tokens')
    const others = await versions()
    await toggle(page, 'Deactivate', projectName).click()
    await page.route('**/api/tokens/earning/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await route.continue()
    })
    const undo = page.getByRole('button', { name: 'Undo' })
    await expect(undo).toBeEnabled()
    const { x, y, width, height } = (await undo.boundingBox())!
    for (const pause of [gapMs, 0]) {
      await page.mouse.click(x + width / 2, y + height / 2)
      await page.waitForTimeout(pause)
    }
    await expectToast(page, 'Token status updated successfully', `${projectName} (SOLR) · Active`)
    expect(await server.sql('SELECT version FROM tokens WHERE project_name = $1', [projectName])).toEqual([
      { version: 3 },
    ])
    expect(await versions()).toEqual(others)
  })

test('an Undo that comes up under a double click is not pressed by it', async ({ page, server }) => {
  const { projectName } = await importToken(server)
  await page.goto('/tokens')
  await toggle(page, 'Deactivate', projectName).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  // As a person sees it come up: at once, before it takes a press.
  await undo.dispatchEvent('click')
  await expect(undo).toBeEnabled()
  await expect(findRow(page, projectName).getByRole('cell').nth(5)).toHaveText('Inactive')
  expect(await server.sql('SELECT version FROM tokens WHERE project_name = $1', [projectName])).toEqual([
    { version: 2 },
  ])
})
