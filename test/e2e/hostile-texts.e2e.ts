import type { Page } from '@playwright/test'
import { addBankAccount, importPayment } from './support/bank.ts'
import { expect, test } from './support/harness.ts'
import { buildSubmission, newWord } from './support/members.ts'
import { listScreens, openScreen } from './support/screens.ts'

/** What runs where a text becomes markup, an attribute, an address or a template. */
const payloads = [
  `<img src=x onerror="globalThis.hasRun=1">`,
  `"><script>globalThis.hasRun=1</script>`,
  `'-globalThis.hasRun=1-'`,
  `<svg/onload=globalThis.hasRun=1>`,
  `{{constructor.constructor("globalThis.hasRun=1")()}}`,
  `<a href="javascript:globalThis.hasRun=1">pay</a>`,
]
const takePayload = (at: number, length = 100) => payloads[at % payloads.length]!.slice(0, length)

/** Counts requests to other hosts and opened dialogs of the browser. Both stay empty. */
function collectStrays(page: Page, host: string): string[] {
  const strays: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== host) strays.push(request.url())
  })
  page.on('dialog', (dialog) => {
    strays.push(dialog.message())
    void dialog.dismiss()
  })
  return strays
}

const expectNothingRan = async (page: Page, where: string) =>
  expect(await page.evaluate(() => 'hasRun' in globalThis), where).toBe(false)

test('a screen runs nothing that a text of others holds', async ({ page, server, operator }) => {
  const strays = collectStrays(page, new URL(server.url).host)
  const word = newWord()
  const memberId = `m-${word}`
  const createdAt = new Date().toISOString()
  const address = `0x${Buffer.from(word).toString('hex').padEnd(40, '0').slice(0, 40)}`
  const orderNumber = `ORD-${word}`
  await server.importLines(
    {
      type: 'member',
      id: memberId,
      email: `${word}@example.com`,
      legalFirstName: takePayload(0),
      legalLastName: takePayload(1),
      legalPhone: takePayload(2, 40),
      createdAt,
    },
    {
      type: 'order',
      orderNumber,
      memberId,
      projectName: takePayload(3),
      projectId: takePayload(5, 64),
      investmentAmount: '250.00',
      currency: 'EUR',
      createdAt,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      bankName: takePayload(0),
      accountHolder: takePayload(1),
      accountNumber: '532013000',
      iban: 'DE89370400440532013000',
      swift: 'COBADEFFXXX',
      paymentInstructions: payloads.join(' '),
    },
    {
      type: 'token',
      kind: 'earning',
      contractAddress: address,
      projectName: takePayload(4),
      tokenSymbol: '<b>x</b>',
      decimals: 18,
      logo: '🌍',
    },
    { type: 'transaction', id: `t-${word}`, memberId, kind: 'deposit', amount: '1.00', status: 'completed', createdAt },
    {
      ...buildSubmission(memberId),
      submittedAt: createdAt,
      step2: { dateOfBirth: '1991-03-14', nationality: takePayload(3, 60), countryOfResidence: takePayload(1, 60) },
    },
  )
  const ban = await operator.post(`/api/users/${memberId}/ban`, { data: { reason: payloads.join(' ') } })
  expect(ban.ok(), await ban.text()).toBe(true)
  await importPayment(operator, await addBankAccount(operator, { name: `${takePayload(3)} ${word}` }), {
    amount: '250.00',
    payer: takePayload(0, 70),
    text: `${takePayload(3)} ${orderNumber}`,
  })

  for (const [name, path] of Object.entries(listScreens)) {
    await openScreen(page, path)
    await expectNothingRan(page, name)
  }
  await openScreen(page, `/users?search=${word}`)
  await expect(page.getByRole('table')).toContainText(`${takePayload(0)} ${takePayload(1)}`)
  await openScreen(page, `/users/${memberId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${takePayload(0)} ${takePayload(1)}`)
  await expectNothingRan(page, 'the member')
  for (const tab of ['kyc', 'wallets', 'history']) {
    await openScreen(page, `/users/${memberId}?tab=${tab}`)
    await expectNothingRan(page, `the member, ${tab}`)
  }
  await openScreen(page, `/orders?search=${orderNumber}`)
  await page.getByRole('link', { name: /^View/ }).first().click()
  await expect(page.getByRole('main')).toContainText(takePayload(3))
  await expectNothingRan(page, 'the order')
  await page.keyboard.press('Control+k')
  await page.keyboard.insertText(word)
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText(takePayload(0))
  await expectNothingRan(page, 'the search')
  expect(strays).toEqual([])
})
