import { expect, test } from 'vitest'
import { permissions, type Permission } from '#contract/permissions.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)
const bank = createBankCaller(server)
const account = await bank.addAccount({ name: 'Clients' })

const credit = (amount: string, payer: string, iban: string, text: string, day: string, reference = '') =>
  camtEntry(
    amount,
    'CRDT',
    `<NtryDtls><TxDtls>${reference && `<Refs><EndToEndId>${reference}</EndToEndId></Refs>`}
      <RltdPties><Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>
      <RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`,
  ).replace('2026-11-03', day)

const ana = 'DE02120300000000202051'
await bank.importFile(
  camtFile(
    [
      credit('1500.00', 'José Lima', ana, 'Investment QRD-010240', '2026-11-03', 'E2E-777'),
      credit('20.50', 'José Lima', ana, 'rest', '2026-11-05'),
      credit('20.50', 'Zoë Ng', 'NL91ABNA0417164300', 'gift', '2026-11-04'),
      ...Array.from({ length: 7 }, (_, n) =>
        credit('3.00', 'Crowd Ltd', 'FR7630006000011234567890189', `batch ${n}`, `2026-11-${10 + n}`),
      ),
    ].join(''),
  ),
)

const find = async (q: string) => {
  const reply = await server.as('ada')('GET', `/api/search?q=${encodeURIComponent(q)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<SearchReply>().bankLines
}
const findTexts = async (q: string) => (await find(q)).map(({ text }) => text)

test('a bank line is found with what tells it from others (product 3.7)', async () => {
  const [line] = await bank.lines({ search: 'QRD-010240' })
  expect(await find('qrd-010240')).toEqual([
    {
      id: line!.id,
      accountId: account.id,
      accountName: 'Clients',
      bookedOn: '2026-11-03',
      direction: 'credit',
      amount: '1500.00',
      currency: 'EUR',
      state: 'open',
      payer: { name: 'José Lima', account: ana },
      text: 'Investment QRD-010240',
      references: ['E2E-777'],
    },
  ])
})

test.each([
  ['the payer without accents', 'jose lima', ['rest', 'Investment QRD-010240']],
  ['the payer’s IBAN', 'DE02 1203 0000 0000 2020 51', ['rest', 'Investment QRD-010240']],
  ['the beginning of an IBAN', 'nl91abna', ['gift']],
  ['an amount', '20,50', ['rest', 'gift']],
  ['an amount with its currency', '€1,500', ['Investment QRD-010240']],
  ['an amount of another currency', '1,500 GBP', []],
  ['a reference', 'e2e-777', ['Investment QRD-010240']],
  ['two letters', 'zo', ['gift']],
  ['nothing of it', 'QRD-010241', []],
])('bank lines by %s: %s (product 3.7)', async (_how, typed, expected) => {
  expect(await findTexts(typed)).toEqual(expected)
})

test('of many bank lines the five newest come', async () => {
  expect(await findTexts('crowd')).toEqual(['batch 6', 'batch 5', 'batch 4', 'batch 3', 'batch 2'])
})

test('an admin who may not view bank accounts finds no bank line (product 2.6)', async () => {
  roles.super_admin = permissions.filter((each) => each !== 'bank.view')
  expect(await find('jose lima')).toEqual([])
  roles.super_admin = permissions
})
