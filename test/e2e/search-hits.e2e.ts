import { randomBytes, randomUUID } from 'node:crypto'
import { addBankAccount, importPayment } from './support/bank.ts'
import { expect, test } from './support/harness.ts'
import { importInvestor, importMember, newWord } from './support/members.ts'
import { importOrder } from './support/orders.ts'
import { box, choose, group, heading, search } from './support/search.ts'

const address = () => `0x${randomBytes(20).toString('hex')}`

test('by keyboard alone a member is found by e-mail (product 3.7)', async ({ page, server }) => {
  const member = await importMember(server, { legalFirstName: 'مريم' })
  await page.goto('/orders')
  await search(page, member.email, 'Control+k')
  const option = group(page, 'Members').getByRole('option')
  await expect(option).toHaveCount(1)
  await expect(option).toContainText(member.name)
  await expect(option.locator('b')).toHaveText([member.email])
  await choose(page, 'Members')
  await expect(page).toHaveURL(`/users/${member.id}`)
  await expect(page.getByRole('main')).toBeFocused()
})

test('an order by its number, a token by its symbol, a transfer by its hash (product 3.7)', async ({
  page,
  server,
}) => {
  const investor = await importInvestor(server)
  const [word, symbol] = [newWord().toUpperCase(), newWord().toUpperCase().slice(-10)]
  await importOrder(server, investor, { orderNumber: `ORD-${word}` })
  await server.importLines({
    type: 'token',
    kind: 'fractions',
    contractAddress: address(),
    projectName: 'Solar Park',
    tokenSymbol: symbol,
    decimals: 18,
    isActive: true,
  })
  const bringTransfer = async (walletAddress: string) => {
    const transactionHash = `0x${randomBytes(32).toString('hex')}`
    const given = { logIndex: 0, transactionType: 'deposit', tokenAddress: address(), amount: '1', status: 'completed' }
    const createdAt = '2026-03-01T10:00:00Z'
    await server.importLines({ type: 'chainTransaction', ...given, transactionHash, walletAddress, createdAt })
    return transactionHash
  }
  const [mine, strange] = [await bringTransfer(investor.wallet), await bringTransfer(address())]

  await page.goto('/security')
  await search(page, `ord-${word.toLowerCase()}`)
  await choose(page, 'Orders')
  await expect(heading(page)).toHaveText(`Order #ORD-${word}`)
  await search(page, symbol.toLowerCase())
  await choose(page, 'Tokens')
  await expect(page).toHaveURL('/tokens?tab=fractions')
  await search(page, mine)
  await choose(page, 'Transactions')
  await expect(page).toHaveURL(`/transactions?search=${mine}`)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await search(page, strange.slice(0, 12))
  await choose(page, 'Transactions')
  await expect(page).toHaveURL(`/transactions?search=${strange}`)

  // The monitor shows what was searched for, and lets go of it.
  const monitored = page.getByRole('searchbox', { name: 'Transaction hash or wallet address' })
  await expect(monitored).toHaveValue(strange)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await monitored.fill('')
  await expect(page).toHaveURL('/transactions')
  await expect(page.getByText(/^Showing 1 to 50 of/)).toBeVisible()
  await monitored.fill(strange.slice(0, 12))
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
  await monitored.fill('a member')
  await expect(page.getByText(/Transactions are found by their hash or wallet address/)).toBeVisible()
})

test('a wallet opens its owner, and a platform transaction its row', async ({ page, server }) => {
  const investor = await importInvestor(server)
  const id = `tx-${newWord()}`
  await server.importLines({
    type: 'transaction',
    id,
    memberId: investor.id,
    kind: 'deposit',
    amount: '7487.25',
    status: 'completed',
    createdAt: '2026-03-01T10:00:00Z',
  })
  await page.goto('/security')
  await search(page, investor.wallet.toUpperCase().replace('X', 'x'))
  await choose(page, 'Members')
  await expect(page).toHaveURL(`/users/${investor.id}`)
  await search(page, '7,487.25')
  const option = group(page, 'Platform transactions').getByRole('option').first()
  await expect(option).toContainText('+$7,487.25')
  await expect(option).toContainText('Completed')
  await box(page).fill(id)
  await choose(page, 'Platform transactions')
  await expect(page).toHaveURL(`/transactions?tab=platform&search=${id}`)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
})

test('a message is found by its id, and opens in Peek (product 3.7, 5.19)', async ({ page, server }) => {
  const { id } = await importMember(server)
  const messageId = randomUUID()
  await server.sql(
    `INSERT INTO messages (channel, direction, message_id, type, entity_type, entity_id, attempt_number, state)
     VALUES ('kyc', 'out', $1, 'kyc.submitted', 'member', $2, 1, 'delivered')`,
    [messageId, id],
  )
  await page.goto('/orders')
  await search(page, messageId.toUpperCase())
  await choose(page, 'Messages')
  const peek = page.getByRole('complementary', { name: 'Peek: kyc.submitted' })
  await expect(peek).toContainText(messageId)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
})

test('a bank line is found by payer, IBAN, amount and text, and opens (product 3.7)', async ({ page, operator }) => {
  const account = await addBankAccount(operator)
  const [payer, text] = [`JOSÉ ${newWord().toUpperCase()}`, `rent ${newWord()}`]
  // The account's number is of this test alone, and so is an amount of its last digits.
  const amount = `1${account.account.slice(-6)}.37`
  const iban = 'GB82WEST12345698765432'
  const line = await importPayment(operator, account, { amount, payer, text, iban })
  await page.goto('/orders')
  for (const typed of [payer.toLowerCase().replace('é', 'e'), 'gb82 west 1234 5698', amount, text]) {
    await search(page, typed)
    const option = group(page, 'Bank lines').getByRole('option').filter({ hasText: account.name })
    await expect(option).toContainText(payer)
    await expect(option).toContainText('GB82 WEST 1234 5698 7654 32')
    await expect(option).toContainText(/\+\d,\d{3},\d{3}\.37 EUR/)
    await expect(option).toContainText('Open')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(box(page)).toHaveValue('')
  }
  await search(page, text)
  await choose(page, 'Bank lines')
  await expect(page).toHaveURL(`/reconciliation?line=${line.id}`)
})
