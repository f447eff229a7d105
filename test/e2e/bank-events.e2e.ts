import { startConsole } from './support/console-server.ts'
import { applyByEnter, amount, askFor, dialog, openDesk, payFor, rows, writeStatement } from './support/desk.ts'
import { expect, expectToast, test as base } from './support/harness.ts'
import { addAccount, dropFile } from './support/statements.ts'
import { type ProviderCall, startFakeProvider } from '#test/support/fakes/kyc-provider.ts'

const test = base.extend<{ platform: Awaited<ReturnType<typeof startFakeProvider>> }>({
  platform: async ({}, use) => {
    const platform = await startFakeProvider()
    await use(platform)
    await platform.close()
  },
  server: async ({ platform }, use) => {
    const server = await startConsole('template_empty', {
      DEMO: 'off',
      PLATFORM_WEBHOOK_URL: platform.url,
      PLATFORM_WEBHOOK_SECRET: platform.secret,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    })
    await use(server)
    await server.stop()
  },
})

interface PaymentEvent {
  type: string
  sequence: number
  data: { orderNumber: string }
}
/** Which payment events of an order the platform has received, in the order of their numbers. */
function readEvents(calls: readonly ProviderCall[], orderNumber: string): string[] {
  const events = calls.map(({ body }) => JSON.parse(body) as PaymentEvent)
  return events
    .filter(({ type, data }) => type.startsWith('order.') && data.orderNumber === orderNumber)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ type }) => type)
}

test('the platform hears of a dropped file worked to 0.00, and of an undone payment (product 5.13, 10.3)', async ({
  page,
  server,
  operator,
  platform,
}) => {
  test.slow()
  const order = await askFor(server, '1500.00')
  const account = await addAccount(operator, 'Investors')
  await openDesk(page, account)
  await expect(page.getByText('No statement was imported yet').last()).toBeVisible()
  const entries = [
    payFor(order, '1500.00'),
    { amount: '12.50', payer: 'Meridian Bank', text: 'Account fee', direction: 'DBIT' as const },
  ]
  await dropFile(page, 'today.xml', writeStatement(account.account, entries))
  await expect(dialog(page)).toContainText('2 lines new')
  await page.keyboard.press('Escape')

  await expect(rows(page)).toHaveCount(2)
  await applyByEnter(page)
  await expect(amount(page)).toContainText('−12.50 EUR')
  await page.keyboard.press('i')
  await expect(dialog(page).getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('3')
  await page.keyboard.press('Enter')
  const done = page.getByRole('region', { name: 'Done' })
  await expect(done).toContainText(/Difference to the latest statement.*0\.00/)
  await expect.poll(() => readEvents(platform.calls, order.number)).toEqual(['order.paid'])

  await page.goto(`/orders/${order.id}`)
  await page.getByRole('button', { name: /^Undo 1,500\.00 EUR of / }).click()
  await dialog(page).getByLabel('Reason').fill('Belongs to another order')
  await dialog(page).getByRole('button', { name: 'Undo Payment' }).click()
  await expectToast(page, 'Payment Undone')
  await expect(page.getByText('Waiting Payment', { exact: true })).toBeVisible()
  await expect.poll(() => readEvents(platform.calls, order.number)).toEqual(['order.paid', 'order.payment_reversed'])
})
