import { readFile } from 'node:fs/promises'
import { decodeQR } from 'qr/decode.js'
import { expect, readClipboard, test } from './support/harness.ts'
import { groupInFours, panel, prepareOrder, readPayments, readReply } from './support/order-payments.ts'

/** What a scanner reads from the squares of a path of `M x y h width …`. */
function decodePath(path: string, size: number) {
  const scale = 8
  const side = size * scale
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      data
        .subarray((row * side + Number(x) * scale) * 4, (row * side + (Number(x) + Number(width)) * scale) * 4)
        .forEach((_, at, pixels) => void (pixels[at] = at % 4 === 3 ? 255 : 0))
  return decodeQR({ width: side, height: side, data }, { timeLimit: 10_000 })
}

test('the payment code asks for the rest, on the page and in its file (product 5.6)', async ({
  page,
  server,
  operator,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { order, lines, pay } = await prepareOrder(server, operator, ['5000.00'])
  await pay(lines[0]!)
  const { epc, reference } = await readPayments(operator, order.id)
  expect(epc).toContain('EUR7500.50')
  await page.goto(`/orders/${order.id}`)
  const instructions = panel(page, 'Payment Instructions')
  const code = instructions.getByRole('img', { name: 'Payment code for 7,500.50 EUR' })
  await expect(code).toBeVisible()
  const drawn = await code.evaluate((svg) => ({
    box: svg.getAttribute('viewBox'),
    path: svg.querySelector('path')?.getAttribute('d') ?? '',
    ground: getComputedStyle(svg.querySelector('rect')!).fill,
  }))
  const size = Number(drawn.box?.split(' ')[3])
  expect(drawn.ground).toBe('rgb(255, 255, 255)')
  expect(drawn.path).toMatch(/^M4 4h7/)
  expect(decodePath(drawn.path, size)).toBe(epc)

  const saved = page.waitForEvent('download')
  await instructions.getByRole('button', { name: 'Save Code' }).click()
  expect((await saved).suggestedFilename()).toBe(`payment-${order.number}.svg`)
  expect(await readFile(await (await saved).path(), 'utf8')).toContain(drawn.path)

  await expect(instructions).toContainText(groupInFours(reference))
  await instructions.getByRole('button', { name: 'Copy reference' }).click()
  await expect.poll(() => readClipboard(page)).toBe(reference)
  await expect(instructions).toContainText('7,500.50 EUR')
})

test('without a payment code the reason stands in its place (product 5.6)', async ({ page, server, operator }) => {
  const { order } = await prepareOrder(server, operator, [], { iban: 'XX00 0000' })
  await page.goto(`/orders/${order.id}`)
  const instructions = panel(page, 'Payment Instructions')
  await expect(instructions).toContainText('No payment code: The order has no valid IBAN.')
  await expect(instructions.getByRole('img')).toHaveCount(0)
  await readReply(
    await operator.patch(`/api/orders/${order.id}/status`, { data: { status: 'cancelled', notes: 'Withdrawn' } }),
  )
  await page.reload()
  await expect(instructions).toContainText('This order is cancelled. Nothing more is asked for')
})
