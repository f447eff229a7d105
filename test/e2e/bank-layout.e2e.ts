import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, test } from './support/harness.ts'
import {
  accountMenu,
  amount,
  applyButton,
  applyByEnter,
  askFor,
  candidate,
  dialog,
  importWork,
  line,
  openAddAccount,
  openDesk,
  payFor,
  pressInAccountMenu,
  readLineIds,
  rows,
  writeStatement,
} from './support/desk.ts'
import { addAccount, dropFile, fileOf, newNumber } from './support/statements.ts'

test.use({ data: 'empty' })

const sizes = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]

/** What scrolls sideways within an element. */
const listScrolling = (target: Locator) =>
  target.evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter((each) => each.scrollWidth > each.clientWidth && /auto|scroll/.test(getComputedStyle(each).overflowX))
      .map((each) => each.getAttribute('aria-label')),
  )

for (const size of sizes)
  test(`the columns of a CSV file are confirmed in sight at ${size.width} px (product 5.13)`, async ({
    page,
    operator,
  }) => {
    const account = await addAccount(operator, `Wide ${newNumber()}`)
    const columns = Array.from({ length: 14 }, (_, at) => `Column with a long heading ${at}`)
    const row = columns.map((_, at) => (at === 0 ? '03.04.2026' : at === 1 ? '15,00' : `value ${at}`))
    const csv = [columns, ...Array.from({ length: 12 }, () => row)].map((cells) => cells.join(';')).join('\n')
    await page.setViewportSize(size)
    await page.goto(`/reconciliation?account=${account.id}`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog(page).getByLabel('Statement files').setInputFiles(fileOf('wide.csv', csv))
    await dialog(page).getByRole('button', { name: 'Import wide.csv' }).click()
    const form = dialog(page).getByRole('region', { name: 'Columns of wide.csv' })
    await expect(form.getByLabel('Meaning of column 14')).toBeAttached()
    for (const name of ['Confirm and Import', 'Leave Out'])
      await expect(form.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
    expect(await listScrolling(dialog(page))).toEqual(['First rows of wide.csv'])
    await form.getByLabel('Meaning of column 14').focus()
    await expect(form.getByLabel('Meaning of column 14')).toBeInViewport({ ratio: 1 })
  })

/** The buttons, links and fields of the page that lie under an element. */
const listCovered = (target: Locator) =>
  target.evaluate((toast) => {
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    return [...document.querySelectorAll('main :is(button, a, input, select, h2, [role=tab])')]
      .filter((each) => each.checkVisibility())
      .filter((each) => {
        const box = each.getBoundingClientRect()
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top
      })
      .map((each) => each.textContent ?? each.getAttribute('aria-label'))
  })

for (const size of sizes)
  test(`the notice of an applied payment covers nothing of the desk at ${size.width} px (product 9.7)`, async ({
    page,
    server,
    operator,
  }) => {
    const orders = [await askFor(server, '41.10'), await askFor(server, '41.20'), await askFor(server, '41.30')]
    const account = await importWork(operator, 'Covered', [
      payFor(orders[0]!, '41.10'),
      payFor(orders[1]!, '41.20'),
      payFor(orders[2]!, '41.30'),
    ])
    await page.setViewportSize(size)
    await openDesk(page, account)
    if (size.width < 900) await rows(page).getByRole('link').first().click()
    await expect(applyButton(page)).toBeEnabled()
    await applyButton(page).click()
    await expectToast(page, 'Payment Applied', orders[0]!.number)
    await expect(amount(page)).toContainText('41.20')
    await expect(
      line(page)
        .getByRole('button', { name: /^Choose/ })
        .first(),
    ).toBeVisible()
    const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
    expect(await listCovered(toast)).toEqual([])
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(dialog(page)).toContainText(orders[0]!.number)
  })

test('Apply keeps its place whether or not a reason is needed (product 5.13)', async ({ page, server, operator }) => {
  const [one, two] = [await askFor(server, '51.10'), await askFor(server, '51.20')]
  const account = await importWork(operator, 'Place', [
    payFor(one, '51.10', { payer: 'Rui Pires' }),
    payFor(two, '51.20'),
  ])
  for (const width of [375, 1280, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await openDesk(page, account)
    if (width < 900) await rows(page).getByRole('link').first().click()
    await expect(line(page).getByRole('textbox', { name: 'Reason' })).toBeVisible()
    const place = await applyButton(page).boundingBox()
    await line(page).getByRole('button', { name: 'Family member' }).click()
    await expect(applyButton(page)).toBeEnabled()
    expect(await applyButton(page).boundingBox()).toEqual(place)
    await line(page).getByRole('textbox', { name: 'Reason' }).fill('')
    await page.goto(page.url().replace(/line=\d+/, `line=${(await readLineIds(server, account)).get(51.2)}`))
    await expect(amount(page)).toContainText('51.20')
    await expect(applyButton(page)).toBeEnabled()
    expect(await applyButton(page).boundingBox()).toEqual(place)
  }
})

test('Apply waits until what it applies has been in sight (product 5.13)', async ({ page, server, operator }) => {
  const order = await askFor(server, '61.10')
  const account = await importWork(operator, 'Sight', [payFor(order, '61.10')])
  await page.setViewportSize({ width: 1366, height: 768 })
  await openDesk(page, account)
  await expect(candidate(page, order.number)).toBeInViewport({ ratio: 1 })
  await expect(applyButton(page)).toBeEnabled()
  await page.setViewportSize({ width: 1366, height: 490 })
  await page.reload()
  await expect(line(page).getByRole('region', { name: 'History' })).toBeAttached()
  await expect(applyButton(page)).toBeDisabled()
  await page.keyboard.press('Enter')
  await expect(candidate(page, order.number)).toBeInViewport({ ratio: 0.5 })
  await expect(amount(page)).toContainText('61.10')
  await applyByEnter(page)
  await expectToast(page, 'Payment Applied', order.number)
})

test('a page that is closed or loaded again releases its line (product 5.13)', async ({ page, server, operator }) => {
  const account = await importWork(operator, 'Released', [payFor(await askFor(server, '17.70'), '17.70')])
  const id = (await readLineIds(server, account)).get(17.7)
  const claims = () => server.sql('SELECT 1 FROM bank_claims WHERE line_id = $1', [id])
  await openDesk(page, account)
  await expect(line(page)).toContainText('Yours until')
  expect(await claims()).toHaveLength(1)
  await page.goto('about:blank')
  await expect.poll(claims).toHaveLength(0)
  expect((await operator.post(`/api/bank/lines/${id}/claim`)).ok()).toBe(true)
})

async function addByHand(page: Page, name: string, number: string) {
  await openAddAccount(page)
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('IBAN or account number').fill(number)
  await dialog(page).getByRole('button', { name: 'Add Account' }).click()
}

test('an account that was added shows no line of another, and goes on with its import (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const order = await askFor(server, '18.80')
  const account = await importWork(operator, 'Foreign', [payFor(order, '18.80')])
  const [number, name] = [newNumber(), `Fresh ${newNumber()}`]
  await openDesk(page, account)
  await expect(amount(page)).toContainText('18.80')
  await addByHand(page, name, number)
  await expect(accountMenu(page, name)).toBeVisible()
  await expect(page.getByText('No statement was imported yet').last()).toBeVisible()
  await expect(page).not.toHaveURL(/line=/)
  await dropFile(page, 'fresh.xml', writeStatement(number, [{ amount: '19.90', payer: 'Rui', text: 'hello' }]))
  await expect(dialog(page)).toContainText('1 line new')
  await page.keyboard.press('Escape')
  await expect(amount(page)).toContainText('19.90')
  await page.goto(`/reconciliation?account=${account.id}&line=${(await readLineIds(server, account)).get(18.8)}`)
  await expect(amount(page)).toContainText('18.80')
  await pressInAccountMenu(page, name)
  await expect(amount(page)).toContainText('19.90')
})

test('an open line has all of a tablet’s window, with its buttons at the end (product 5.13)', async ({
  page,
  server,
  operator,
}) => {
  const account = await importWork(operator, 'Tablet', [payFor(await askFor(server, '23.30'), '23.30')])
  await page.setViewportSize({ width: 768, height: 1000 })
  await openDesk(page, account)
  await rows(page).getByRole('link').click()
  await expect(applyButton(page)).toBeEnabled()
  const { y, height } = (await line(page).boundingBox())!
  expect(y + height).toBeGreaterThan(995)
})
