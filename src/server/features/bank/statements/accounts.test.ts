import { expect, test } from 'vitest'
import { camtEntry, camtFile, specimenIban } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const change = (id: string, body: object, version?: number) =>
  bank.call('PATCH', `/api/bank/accounts/${id}`, body, version ? { 'if-match': `"${version}"` } : {})
const add = (body: object) => bank.call('POST', '/api/bank/accounts', body)

const profile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns: { bookedOn: 0, amount: 1 },
  decimalSign: ',',
  dateOrder: 'dmy',
}

const giro = await bank.addAccount({ account: 'de89 3704 0044 0532 0130 00' })

test('an IBAN is stored without blanks, and a new account has no figures', () => {
  expect(giro).toMatchObject({
    name: 'Giro',
    account: specimenIban,
    currency: 'EUR',
    csvProfile: null,
    isActive: true,
    version: 1,
    lines: 0,
    open: { count: 0, credits: '0.00', debits: '0.00' },
    latest: null,
  })
})

test('an account is added once for each currency, however its number is written', async () => {
  const taken = await add({ name: 'Again', account: 'DE89-3704-0044-0532-0130-00', currency: 'EUR' })
  expect([taken.statusCode, taken.json()]).toMatchObject([
    409,
    { code: 'bank_account_taken', message: 'account: DE89 3704 … 3000 (EUR) is already the account Giro' },
  ])
  const other = await bank.addAccount({ name: 'Swiss', currency: 'CHF' })
  expect(other.account).toBe(specimenIban)
  const own = await bank.addAccount({ name: 'Own number', account: ' 12-345 6 ' })
  expect(own.account).toBe('12-345 6')
})

test('an account is changed, audited, and announced by its version', async () => {
  const { id } = await bank.addAccount({ name: 'Before', account: 'NL91ABNA0417164300' })
  const changed = await change(id, { name: 'After', csvProfile: profile }, 1)
  expect(changed.json()).toMatchObject({
    message: 'Bank account saved',
    account: { name: 'After', csvProfile: profile, version: 2 },
  })
  const stale = await change(id, { name: 'Later' }, 1)
  expect([stale.statusCode, stale.json()]).toMatchObject([
    409,
    {
      code: 'stale',
      message: 'This bank account was changed meanwhile: now After, NL91 ABNA … 4300 (EUR). Look again and decide.',
    },
  ])
  const [row] = await server.sql(
    `SELECT actor_name, details FROM audit_log WHERE action = 'save_bank_account' ORDER BY id DESC LIMIT 1`,
  )
  expect(row).toMatchObject({
    actor_name: 'ada',
    details: { before: { name: 'Before', csvProfile: null }, after: { name: 'After', csvProfile: profile } },
  })
  expect((await change(id, { name: 'After' })).json().account.version).toBe(2)
})

test('a change to the number of another account is refused', async () => {
  const { id } = await bank.addAccount({ name: 'Third', account: 'AT611904300234573201' })
  const taken = await change(id, { account: specimenIban })
  expect([taken.statusCode, taken.json().code]).toEqual([409, 'bank_account_taken'])
  expect((await change(id, { account: 'BE68 5390 0754 7034' })).json().account.account).toBe('BE68539007547034')
})

test('the number and currency of an account with lines stay as they are', async () => {
  const { id } = await bank.addAccount({ name: 'Used', account: 'GB29NWBK60161331926819' })
  await bank.importFile(camtFile(camtEntry('1.00', 'CRDT'), { iban: 'GB29NWBK60161331926819' }))
  for (const body of [{ account: 'FR1420041010050500013M02606' }, { currency: 'GBP' }]) {
    const refused = await change(id, body)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'bank_account_used', message: 'GB29 NWBK … 6819 (EUR) has lines: its number stays as it is' },
    ])
  }
  expect((await change(id, { account: 'GB29 NWBK 6016 1331 9268 19', isActive: false })).json()).toMatchObject({
    account: { account: 'GB29NWBK60161331926819', isActive: false, lines: 1 },
  })
})

test('a number that looks like an IBAN has to be one (product 6.11)', async () => {
  const wrong: [account: string, problem: string][] = [
    ['DE89 3704 0044 0532 0130 01', 'the check digits of this IBAN do not fit'],
    ['de89370400440532031000', 'the check digits of this IBAN do not fit'],
    ['DE89 3704 0044 0532 0130 0', 'an IBAN of DE has 22 characters, this one has 21'],
    ['NL91ABNA04171643000', 'an IBAN of NL has 18 characters, this one has 19'],
  ]
  const { id } = await bank.addAccount({ name: 'To change', account: 'NO9386011117947' })
  for (const [account, problem] of wrong)
    for (const reply of [await add({ name: 'A', account, currency: 'EUR' }), await change(id, { account })])
      expect([reply.statusCode, reply.json()], account).toMatchObject([
        400,
        { code: 'invalid', message: `account: ${problem}`, details: [{ field: 'account', message: problem }] },
      ])
  for (const account of ['DE12-3456', 'XX00 0000 0012 3456 78', '0532013000', 'KONTO DE89370400440532013001'])
    expect((await bank.addAccount({ account })).account, account).toBe(account)
})

test('what is not an account is refused by its field', async () => {
  const valid = { name: 'A', account: 'B', currency: 'EUR' }
  for (const [body, field] of [
    [{ ...valid, name: ' ' }, 'name'],
    [{ ...valid, account: '' }, 'account'],
    [{ ...valid, currency: 'eur' }, 'currency'],
    [{ ...valid, csvProfile: { ...profile, columns: { amount: 1 } } }, 'csvProfile'],
    [{ ...valid, isActive: false }, 'isActive'],
  ] as const) {
    const reply = await add(body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(field)])
  }
  for (const id of ['999999', 'x', '0']) expect((await change(id, { name: 'x' })).statusCode).toBe(404)
})

test('accounts in use are listed first, by name', async () => {
  const accounts = await bank.accounts()
  const names = accounts.map(({ name }) => name)
  expect(names.at(-1)).toBe('Used')
  expect(names.slice(0, -1)).toEqual(names.slice(0, -1).toSorted((a, b) => a.localeCompare(b)))
})
