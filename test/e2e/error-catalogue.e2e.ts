import type { APIRequestContext } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { button, dialog, failures, foreign, viewFront, type FailureData } from './support/failures.ts'
import { expect, expectToast, test } from './support/harness.ts'
import { importMember, findMemberWithDocuments, newWord, buildSubmission } from './support/members.ts'
import { raiseEvents } from './support/security-page.ts'
import { buildFailedTry, insertTriesSql } from '#test/support/case-tries.ts'

async function makeFailureData(server: ConsoleServer, operator: APIRequestContext): Promise<FailureData> {
  const [member, banned, withDocuments] = await Promise.all([
    importMember(server),
    importMember(server),
    findMemberWithDocuments(server),
  ])
  const word = newWord()
  await server.importLines(
    buildSubmission(member.id),
    {
      type: 'order',
      orderNumber: word,
      memberId: member.id,
      projectId: 'prj-1',
      projectName: 'Solar Park',
      investmentAmount: '100.00',
      currency: 'EUR',
      expiresAt: '2099-01-01T00:00:00Z',
      bankName: 'Bank',
      accountHolder: 'Holder',
      accountNumber: '1',
      iban: '',
      swift: '',
      paymentInstructions: '',
    },
    {
      type: 'token',
      kind: 'earning',
      contractAddress: `0x${Buffer.from(word).toString('hex').padEnd(40, '0').slice(0, 40)}`,
      projectName: word,
      tokenSymbol: 'CAT',
      decimals: 18,
      isActive: true,
    },
  )
  await operator.post(`/api/users/${banned.id}/ban`, { data: { reason: 'Fraud' } })
  await server.sql(insertTriesSql, buildFailedTry(member.id))
  const [order] = await server.sql<{ id: string }>('SELECT id::text FROM orders WHERE order_number = $1', [word])
  const eventWord = await raiseEvents(server, 'medium')
  return { member, banned, orderId: order!.id, project: word, withDocuments: withDocuments.id, eventWord }
}

/** Several a test, since each needs no more than its own call to fail: what costs time is a page of its own. */
for (const part of [failures.slice(0, 5), failures.slice(5, 10), failures.slice(10)])
  test(`failure toasts: ${part.map(({ text }) => text).join(', ')} (product 9.3)`, async ({
    page,
    server,
    operator,
  }) => {
    const world = await makeFailureData(server, operator)
    for (const { call, reply, open, act, title, text, kept } of part)
      await test.step(`${title}: ${text}`, async () => {
        await page.goto(open(world))
        await page.route(call, (route) => {
          if (route.request().method() === 'GET') return route.fallback()
          return reply === 'abort' ? route.abort() : route.fulfill(reply)
        })
        await act(page, world)
        await expectToast(page, title, text)
        if (kept) {
          await expect(
            dialog(page)
              .getByRole('alert')
              .filter({ hasText: /^The database is away$/ }),
          ).toBeVisible()
          await expect(dialog(page).getByLabel(kept.label)).toHaveValue(kept.typed)
        }
        await page.unroute(call)
      })
  })

test.describe('signed out', () => {
  test.use({ isSignedIn: false })
  test('"Login failed" carries the server message, or "Invalid credentials" (product 9.3)', async ({ page }) => {
    for (const [reply, text] of [
      [{ status: 429, body: '{"message":"Too many tries. Wait a minute.","code":"throttled"}' }, 'Too many tries.'],
      [{ status: 401, body: '' }, 'Invalid credentials'],
    ] as const) {
      await page.route('**/api/auth/login', (route) => route.fulfill(reply))
      await page.goto('/login')
      await page.getByLabel('Username').fill('ada')
      await page.getByLabel('Password').fill('seven grey herons at noon')
      await button(page, 'Sign In').click()
      await expectToast(page, 'Login failed', text)
      await page.unroute('**/api/auth/login')
    }
  })
})

test('a document that does not load says "Document Access Issue" (product 9.3)', async ({ page, server }) => {
  const { id } = await findMemberWithDocuments(server)
  const trouble = page.getByRole('dialog').getByRole('alert')
  const issue = { message: 'It was moved', suggestion: 'Open it again', status: 404 }
  const noImage = { status: 200, contentType: 'image/jpeg', body: 'no image' }
  for (const [call, reply, words] of [
    ['token', { status: 404, body: '{"message":"No such document","code":"not_found"}' }, ['No such document']],
    ['token', foreign, ['Failed to generate secure document access token']],
    [
      'proxy/*',
      { status: 404, body: JSON.stringify(issue) },
      ['Document Access Issue', 'It was moved', 'Open it again', '404'],
    ],
    ['proxy/*', foreign, ['Document Proxy Error', 'Status 502']],
    ['proxy/*', noImage, ['Document Proxy Error']],
  ] as const) {
    await page.route(`**/api/documents/${call}`, (route) => route.fulfill(reply))
    await page.goto(`/users/${id}?tab=kyc`)
    await viewFront(page)
    for (const word of words) await expect(trouble).toContainText(word)
    await page.unroute(`**/api/documents/${call}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
    await page.evaluate(() => localStorage.clear())
  }
  const wallets = await importMember(server)
  const address = `0x${Buffer.from(wallets.id).toString('hex').padEnd(40, '0').slice(0, 40)}`
  await server.importLines({ type: 'wallet', memberId: wallets.id, address })
  await page.goto(`/users/${wallets.id}?tab=wallets`)
  await button(page, /^Check Balance/).click()
  await expect(page.getByRole('table').getByText('Error')).toBeVisible()
})

test('no wallets, transactions or history found (product 9.6)', async ({ page, server }) => {
  const empty = await importMember(server)
  const address = `0x${Buffer.from(empty.id).toString('hex').padEnd(40, '0').slice(0, 40)}`
  const transfer = { type: 'chainTransaction', transactionHash: `${address}${'0'.repeat(24)}`, logIndex: 0 }
  const { id } = await importMember(server)
  await server.importLines(
    { type: 'wallet', memberId: id, address },
    {
      ...transfer,
      walletAddress: address,
      transactionType: 'deposit',
      tokenAddress: address,
      amount: '1',
      status: 'completed',
      createdAt: '2026-03-01T10:00:00Z',
    },
  )
  for (const [member, tab, text] of [
    [empty.id, 'wallets', 'No wallets found'],
    [empty.id, 'history', 'No history found'],
    [id, 'transactions', 'No transactions found'],
  ]) {
    await page.goto(`/users/${member}?tab=${tab}`)
    await expect(page.getByRole('tabpanel').getByText(text!).first()).toBeVisible()
  }
})
