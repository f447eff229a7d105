import { expect, test } from 'vitest'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const account = await bank.addAccount()
const other = await bank.addAccount({ name: 'Second', account: 'NL91ABNA0417164300' })

interface Given {
  name?: string
  iban?: string
  text?: string
  endToEnd?: string
  day?: string
}
function credit(amount: string, { name = '', iban = '', text = '', endToEnd = '', day = '2026-11-03' }: Given = {}) {
  const parties =
    `<RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr>` +
    `${iban && `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>`}</RltdPties>`
  const refs = endToEnd && `<Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>`
  const details = `<NtryDtls><TxDtls>${refs}${parties}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  return camtEntry(amount, 'CRDT', details).replace('2026-11-03', day)
}
const pending = '<Sts><Cd>PDNG</Cd></Sts>'

await bank.importFile(
  camtFile(
    [
      credit('1500.00', { name: 'José Lima', iban: 'DE02120300000000202051', text: 'Investment ORD-010240' }),
      credit('20.50', { name: 'Zoë Ng', endToEnd: 'E2E-777', text: '100% sure', day: '2026-11-05' }),
      camtEntry('9.99', 'DBIT'),
      camtEntry('7.00', 'CRDT', '', pending),
    ].join(''),
  ),
)
await bank.importFile(
  camtFile(credit('1500.00', { name: 'Maria Sá', text: 'other account', day: '2026-11-04' }), { iban: other.account }),
)

const amounts = async (query: Record<string, string>) => (await bank.lines(query)).map(({ amount }) => amount)

test('lines are listed by their day, newest first', async () => {
  const reply = (await bank.call('GET', '/api/bank/lines?limit=2')).json()
  expect(reply).toMatchObject({ total: 5, totalExact: true, page: 1, limit: 2 })
  expect(await amounts({})).toEqual(['20.50', '1500.00', '7.00', '9.99', '1500.00'])
  expect(await amounts({ page: '2', limit: '2' })).toEqual(['7.00', '9.99'])
})

test('a line has what its file says of it', async () => {
  const [line] = await bank.lines({ search: 'ORD-010240' })
  expect(line).toMatchObject({
    accountId: account.id,
    accountName: 'Giro',
    statementNumber: null,
    bookedOn: '2026-11-03',
    direction: 'credit',
    amount: '1500.00',
    currency: 'EUR',
    isReversal: false,
    booking: 'booked',
    state: 'open',
    allocated: '0.00',
    payer: { name: 'José Lima', account: 'DE02120300000000202051' },
    references: [],
    remittance: ['Investment ORD-010240'],
    version: 1,
  })
  const [second] = await bank.lines({ search: 'E2E-777' })
  expect(second?.references).toEqual([{ kind: 'endToEnd', reference: 'E2E-777' }])
})

test.each<[query: Record<string, string>, expected: string[]]>([
  [{ accountId: other.id }, ['1500.00']],
  [{ state: 'open' }, ['20.50', '1500.00', '9.99', '1500.00']],
  [{ state: 'pending' }, ['7.00']],
  [{ state: 'settled' }, []],
  [{ direction: 'debit' }, ['9.99']],
  [{ accountId: account.id, state: 'open', direction: 'credit' }, ['20.50', '1500.00']],
  [{ accountId: '999' }, []],
  [{ state: 'all', accountId: 'all' }, ['20.50', '1500.00', '7.00', '9.99', '1500.00']],
])('the filters %j let exactly their lines through', async (query, expected) => {
  expect(await amounts(query)).toEqual(expected)
  const reply = (await bank.call('GET', `/api/bank/lines?${new URLSearchParams(query)}`)).json()
  expect(reply.total).toBe(expected.length)
})

test.each([
  ['jose', ['1500.00']],
  ['LIMA', ['1500.00']],
  ['DE02 1203 0000', ['1500.00']],
  ['DE02120300000000202051', ['1500.00']],
  ['e2e-777', ['20.50']],
  ['100% sure', ['20.50']],
  ['1.500,00', ['1500.00', '1500.00']],
  ['20.5', ['20.50']],
  ['€ 9.99', ['9.99']],
  ['9.99 USD', []],
  ['-9.99', ['9.99']],
  ['−9.99 EUR', ['9.99']],
  ['+9.99', []],
  ['-20.50', []],
  ['+20.50', ['20.50']],
  ['2051', ['1500.00']],
  ['2020 51', ['1500.00']],
  ['…2051', ['1500.00']],
  ['2120 30', []],
  ['nobody', []],
])('the search %j finds its lines', async (search, expected) => {
  expect(await amounts({ search })).toEqual(expected)
})

test('a search stays within the filters', async () => {
  expect(await amounts({ search: '1500', accountId: other.id })).toEqual(['1500.00'])
  expect(await amounts({ search: '1500', direction: 'debit' })).toEqual([])
})

test('a filter that there is not is refused', async () => {
  for (const query of ['state=closed', 'direction=up', 'accountId=x', 'limit=0', 'search=a&search=b'])
    expect((await bank.call('GET', `/api/bank/lines?${query}`)).statusCode, query).toBe(400)
})

/** The lines of an export, head first. */
async function exported(query: string): Promise<string[]> {
  const reply = await bank.call('GET', `/api/exports/bank-lines${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.body.slice(1, -2).split('\r\n')
}

test('an export has no payers unless it is asked for them', async () => {
  const [head, ...rows] = await exported('?state=open')
  expect(head).toBe('Account,Statement,Booked,Value Date,Direction,Amount,Currency,Reversal,State,Allocated,Place')
  expect(rows).toHaveLength(4)
  expect(rows.at(-1)).toMatch(/^Giro,,2026-11-03,2026-11-03,Money in,1500\.00,EUR,No,Open,0\.00,line 1/)
  expect(rows.join()).not.toMatch(/Lima|DE02|ORD-/)
  const [longer, line] = await exported('?search=jose&payers=shown')
  expect(longer).toBe(`${head},Payer,Payer Account,References,Text`)
  expect(line).toMatch(/,José Lima,DE02120300000000202051,,Investment ORD-010240$/)
  expect((await exported('?search=e2e-777&payers=shown'))[1]).toContain(',Zoë Ng,,End-to-end id: E2E-777,')
  const audited = `SELECT details->'filters' AS filters FROM audit_log WHERE action = 'export_list' ORDER BY id DESC LIMIT 1`
  expect(await server.sql(audited)).toEqual([{ filters: { payers: 'shown' } }])
})

test('an account sums up what is open, by direction', async () => {
  const [giro] = await bank.accounts()
  const figures = { count: 3, credits: '1520.50', debits: '9.99' }
  expect(giro).toMatchObject({ lines: 4, booked: figures, open: figures })
  await server.sql(`UPDATE bank_lines SET allocated = 20.50 WHERE amount = 20.50`)
  const [less] = await bank.accounts()
  expect(less).toMatchObject({ lines: 4, booked: figures, open: { count: 2, credits: '1500.00', debits: '9.99' } })
})

test('the work that waits is listed oldest first', async () => {
  expect(await amounts({ work: 'todo' })).toEqual(['1500.00', '9.99', '1500.00'])
  const ids = async (query: Record<string, string>) =>
    (await bank.lines({ work: 'todo', ...query })).map(({ id }) => id)
  const all = await ids({})
  expect([...(await ids({ limit: '2' })), ...(await ids({ limit: '2', page: '2' }))]).toEqual(all)
  expect(await ids({ search: '1500.00' })).toEqual([all[0], all[2]])
  expect(await ids({ work: 'unmatched' })).toEqual([])
})
