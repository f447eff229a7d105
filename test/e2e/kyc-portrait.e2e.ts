import { expect, expectAccessible, test } from './support/harness.ts'
import { button, findCaseWithoutSelfie, findResubmittedCase } from './support/kyc-cases.ts'

test('the portrait of the document is below the selfie, and moved and scaled by keys (product 5.10)', async ({
  page,
  server,
}) => {
  const { id } = await findResubmittedCase(server)
  const downloads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/documents/proxy/')) downloads.push(request.url())
  })
  const portrait = page.getByRole('group', { name: 'Portrait on the document' })
  const cut = portrait.locator('img')
  const front = page.getByRole('img', { name: /^Identity front of/ })
  const styleOf = (picture: typeof cut) => picture.evaluate((element) => element.style.transform)
  await page.goto(`/kyc?review=${id}`)
  await expect(portrait).toHaveAccessibleDescription('Drag to the face')
  await expect.poll(() => styleOf(cut)).toContain('rotate(0deg)')
  const sizeOf = (picture: typeof cut) =>
    picture.evaluate((element) => [
      (element as HTMLImageElement).naturalWidth,
      (element as HTMLImageElement).naturalHeight,
    ])
  expect(await sizeOf(cut)).toEqual(await sizeOf(front))
  const [first, document] = [await styleOf(cut), await styleOf(front)]
  const [selfie, below] = [
    await page.getByRole('img', { name: /^Selfie of/ }).boundingBox(),
    await portrait.boundingBox(),
  ]
  expect(below!.y).toBeGreaterThan(selfie!.y + selfie!.height)
  await expectAccessible(page)
  await portrait.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => styleOf(cut)).not.toBe(first)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => styleOf(cut)).toBe(first)
  await page.keyboard.press('+')
  await expect.poll(() => styleOf(cut)).not.toBe(first)
  await page.mouse.move(below!.x + 20, below!.y + 20)
  await page.mouse.down()
  await page.mouse.move(below!.x + 30, below!.y + 40)
  await page.mouse.up()
  expect(await styleOf(front)).toBe(document)
  await page.keyboard.press('t')
  await expect.poll(() => styleOf(cut)).toContain('rotate(90deg)')
  for (const key of ['0', 't', 't', 't']) await page.keyboard.press(key)
  await expect.poll(() => styleOf(cut)).toBe(first)
  expect(downloads).toHaveLength(3)
  await portrait.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => styleOf(cut)).not.toBe(first)
  const placed = await styleOf(cut)
  for (const _ of [1, 2]) await button(page, 'Identity back').click()
  await expect(portrait).toBeHidden()
  await button(page, 'Identity back').click()
  await expect.poll(() => styleOf(cut)).toBe(placed)
  for (const _ of [1, 2]) await button(page, 'Selfie').click()
  await expect.poll(async () => (await portrait.boundingBox())!.width).toBeGreaterThan(below!.width)
  await page.setViewportSize({ width: 1024, height: 800 })
  await expect(portrait).toBeHidden()
})

test('without a selfie there is no portrait to compare (product 5.10)', async ({ page, server }) => {
  const { id } = await findCaseWithoutSelfie(server)
  await page.goto(`/kyc?review=${id}`)
  await expect(page.getByRole('img', { name: /^Identity front of/ })).toBeVisible()
  await expect(page.getByText('Portrait on the document')).toHaveCount(0)
})
