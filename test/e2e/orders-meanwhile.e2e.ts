import { expect, expectLive, expectToast, test } from './support/harness.ts'
import { importMember } from './support/members.ts'
import { importOrder } from './support/orders.ts'

test('a refused move shows in the open dialog what has become of the order (product 7.4)', async ({
  page,
  server,
  operator,
}) => {
  const order = await importOrder(server, await importMember(server))
  await page.goto(`/orders?search=${order.number}`)
  await expectLive(page)
  const row = page.getByRole('row', { includeHidden: true }).filter({ hasText: order.number })
  await page.getByRole('button', { name: `Mark Paid ${order.number}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Payment notes').fill('Seen on the account')
  const data = { status: 'cancelled', notes: 'Sent back' }
  expect((await operator.patch(`/api/orders/${order.id}/status`, { data })).ok()).toBe(true)
  await expect(dialog.getByRole('alert')).toHaveText('Set to Cancelled by joan meanwhile.')
  await expect(dialog.getByLabel(/Payment notes/)).toHaveValue('Seen on the account')
  const reread = page.waitForResponse((reply) => reply.url().includes(`search=${order.number}`))
  await dialog.getByRole('button', { name: 'Mark Paid' }).click()
  await expectToast(page, 'Error', 'This order is cancelled (set by joan on')
  await expect(dialog.getByLabel(/Payment notes/)).toHaveAccessibleDescription(/set by joan/)
  await reread
  await expect(row).toContainText('Cancelled')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog).toContainText('This order is cancelled already.')
  await expect(dialog.getByRole('button', { name: 'Mark Paid' })).toBeDisabled()
})

test('the dialogs of a list open at once, so that nothing typed right after is lost', async ({ page, server }) => {
  const order = await importOrder(server, await importMember(server))
  await page.goto(`/orders?search=${order.number}`)
  const cancel = page.getByRole('button', { name: `Cancel ${order.number}` })
  await expect(cancel).toBeVisible()
  const findCode = () =>
    performance.getEntriesByType('resource').find(({ name }) => name.includes('status-dialog'))?.name
  await expect.poll(() => page.evaluate(findCode)).toBeDefined()
  // From here on the module stands in the page.
  await page.evaluate(async (code) => void (await import(code!)), await page.evaluate(findCode))
  await page.route('**/assets/status-dialog*', (route) => route.abort())
  await cancel.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('No money came')
  await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveValue('No money came')
})

test('what is typed before the code of a dialog has come is written into its field', async ({ page, server }) => {
  const order = await importOrder(server, await importMember(server))
  await page.addInitScript(() => {
    // The browser is never idle, so that the dialog's code is fetched when it is asked for.
    window.requestIdleCallback = () => 0
  })
  const typed = Promise.withResolvers<void>()
  await page.route('**/assets/status-dialog*', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto(`/orders?search=${order.number}`)
  await page.getByRole('button', { name: `Cancel ${order.number}` }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Wrong amount 8')
  await page.keyboard.press('Backspace')
  typed.resolve()
  await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveValue('Wrong amount ')
  await page.keyboard.type('7')
  await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveValue('Wrong amount 7')
  await expect(page.getByRole('button', { name: 'Cancel Order' })).toBeEnabled()
})
