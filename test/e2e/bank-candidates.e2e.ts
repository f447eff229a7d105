import type { Locator } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import {
  amount,
  applyButton,
  askFor,
  button,
  candidate,
  dialog,
  importWork,
  line,
  openDesk,
  payFor,
  rows,
} from './support/desk.ts'
import { importOrder } from './support/orders.ts'

test.use({ data: 'empty' })

const [iban, otherIban] = ['DE89370400440532013000', 'DE39370400440533013000']

/** What lies over a corner of an element, or that the corner is out of the window. */
const listCovers = (target: Locator) =>
  target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return [left + 12, right - 12].flatMap((x) =>
      [top + 12, bottom - 12].flatMap((y) => {
        const found = document.elementFromPoint(x, y)
        return element.contains(found) ? [] : [`${x}, ${y}: ${found?.outerHTML.slice(0, 120)}`]
      }),
    )
  })

for (const [width, height] of [
  [1280, 720],
  [375, 667],
] as const)
  test(`a candidate chosen by number is in view, with the focus, at ${width} px (product 5.13)`, async ({
    page,
    server,
    operator,
  }) => {
    const name = { legalFirstName: 'Filomena', legalLastName: `Vasconcelos${width < 900 ? 'a' : ''}` }
    const first = await askFor(server, '51.00', name)
    for (const more of ['52.00', '53.00', '54.00', '55.00'])
      await importOrder(server, first.member, { investmentAmount: more })
    const far = await askFor(server, '77.00')
    const account = await importWork(operator, 'Far', [
      { amount: '30.00', payer: first.member.name, text: 'Solar Park' },
    ])
    await page.setViewportSize({ width, height })
    await openDesk(page, account)
    if (width < 900) await rows(page).getByRole('link').click()
    await expect(line(page)).toContainText('5 candidates')
    const choices = line(page).getByRole('button', { name: /^Choose/ })
    for (const number of [5, 1]) {
      await page.keyboard.press(String(number))
      const chosen = choices.nth(number - 1)
      await expect(chosen).toHaveAttribute('aria-pressed', 'true')
      await expect(chosen).toBeFocused()
      const card = chosen.locator('xpath=ancestor::li[1]')
      await expect.poll(() => listCovers(card)).toEqual([])
    }
    await page.keyboard.press('/')
    await dialog(page).getByRole('combobox', { name: 'Search orders' }).fill(far.number)
    await expect(dialog(page).getByRole('option')).toContainText([far.number])
    await page.keyboard.press('Enter')
    await expect(button(page, `Choose ${far.number}`)).toBeFocused()
    await expect(button(page, `Choose ${far.number}`)).toHaveAccessibleDescription(new RegExp(far.member.email))
    await expect.poll(() => listCovers(candidate(page, far.number))).toEqual([])
  })

test('two members of one name are told apart by e-mail and id (product 5.13)', async ({ page, server, operator }) => {
  const name = { legalFirstName: 'Marisol', legalLastName: 'Quintanilha' }
  const orders = [await askFor(server, '66.60', name), await askFor(server, '66.60', name)]
  const account = await importWork(operator, 'Namesakes', [
    { amount: '66.60', payer: 'Marisol Quintanilha', text: 'my order' },
    payFor(orders[0]!, '66.60', { payer: 'Rui Pires' }),
  ])
  await openDesk(page, account)
  await expect(amount(page)).toContainText('66.60')
  for (const { number, member } of orders) {
    await expect(candidate(page, number)).toContainText(member.email)
    await expect(candidate(page, number)).toContainText(member.id)
  }
  await page.keyboard.press('/')
  for (const { number, member } of orders) {
    const option = dialog(page).getByRole('option').filter({ hasText: number })
    await expect(option).toContainText(member.email)
    await expect(option).toContainText(member.id)
  }
  await page.keyboard.press('Escape')
  const { number, member } = orders[0]!
  await page.keyboard.press('r')
  await expect(dialog(page).getByLabel('Meant for').getByRole('option').filter({ hasText: number })).toContainText(
    member.email,
  )
  await page.keyboard.press('Escape')
  await rows(page).getByRole('link').nth(1).click()
  await expect(candidate(page, number)).toContainText('Third party')
  if ((await button(page, `Choose ${number}`).getAttribute('aria-pressed')) !== 'true') await page.keyboard.press('1')
  await expect(line(page).getByRole('textbox', { name: 'Reason' })).toHaveAccessibleDescription(
    new RegExp(`${member.email} · ${member.id}`),
  )
})

test('another account than the usual one is shown beside it, both whole (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const first = await askFor(server, '31.00')
  const second = await importOrder(server, first.member, { investmentAmount: '32.00' })
  const account = await importWork(operator, 'Accounts', [
    payFor(first, '31.00', { iban }),
    payFor({ ...first, ...second }, '32.00', { iban: otherIban }),
  ])
  await openDesk(page, account)
  await expect(line(page).getByRole('region', { name: 'Text of the payment' })).toContainText(
    'DE89 3704 0044 0532 0130 00',
  )
  await expect(line(page).getByRole('button', { name: 'Copy DE89 3704 0044 0532 0130 00' })).toBeVisible()
  await expect(applyButton(page)).toBeEnabled()
  await applyButton(page).click()
  await expect(amount(page)).toContainText('32.00')
  const card = candidate(page, second.number)
  await expect(card).toContainText('another account so far')
  await expect(card).toContainText('Paid fromDE39 3704 0044 0533 0130 00')
  await expect(card).toContainText('So far fromDE89 3704 0044 0532 0130 00')
  await expect(card.locator('mark')).toHaveText(['DE39', '0533', 'DE89', '0532'])
})

test('an order that asks for another of our accounts shows both whole (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '45.50')
  await server.sql('UPDATE orders SET iban = $1 WHERE id = $2', [otherIban, order.id])
  const asked = await operator.post('/api/bank/accounts', {
    data: { name: 'Asked for', account: otherIban, currency: 'EUR' },
  })
  expect(asked.ok(), await asked.text()).toBe(true)
  const account = await importWork(operator, 'Elsewhere', [payFor(order, '45.50')])
  await openDesk(page, account)
  await expect(candidate(page, order.number)).toContainText('Other account')
  await expect(candidate(page, order.number)).toContainText(`Came to${account.account}`)
  await expect(candidate(page, order.number)).toContainText('Order asks forDE39 3704 0044 0533 0130 00')
})
