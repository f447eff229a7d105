import { expect, test } from 'vitest'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { collectStatements } from '#test/support/bank-files.ts'
import { guessCsvEncoding } from './csv-encoding.ts'
import { readCsv } from './csv.ts'
import { guessProfile } from './csv-profile.ts'
import { decodeText } from './text.ts'

/** Bytes as programs of banks write them, in Base64, and a text that has to be in what is read. */
const files: [encoding: CsvProfile['encoding'], base64: string, text: string][] = [
  [
    'euc-kr',
    'sMW3ocDPvcMswPu/5Cy6uLO9utAvud60wrrQLMPisd2+1yzA1LHdvtcssMW3ocjEwNy+1yywxbehwaEKMjAyNi4xMS4xMCAxNDoyMjozMSzFuM' +
      'fgwMzDvCyx6LnOwdgsMCwiMSwzMDAsMDAwIiwiNSwzMDAsMDAwIiy9xcfRwLrH4AoyMDI2LjExLjExIDA5OjAxOjAyLLz2vPa34SwsNTAwLDAs' +
      'IjUsMjk5LDUwMCIssK2zsgo=',
    '김민준',
  ],
  [
    'shift_jis',
    'juaI+JP6LJNFl3YsgqiOeJWli+CKeiyCqJdhguiL4Ip6LI23iPiOY42CCjIwMjYvMTEvMTAskFWNniDUz8DeIMDbsywsIjEzMCwwMDAiLCI1Mz' +
      'AsMDAwIgoyMDI2LzExLzExLI7okJSXvywiNDQwIiwsIjUyOSw1NjAiCg==',
    '振込 ﾔﾏﾀﾞ ﾀﾛｳ',
  ],
  [
    'gb18030',
    'vbvS18jVxtos1arSqiy21Le9u6fD+yy96Le9t6LJ+rbuLLT7t723osn6tu4s0+C27goyMDI2LTExLTEwLNeq1csszfXQocP3LCwiMSwzMDAuMD' +
      'AiLCI1LDMwMC4wMCIKMjAyNi0xMS0xMSzK1tD4t9EsLDUuMDAsLCI1LDI5NS4wMCIK',
    '王小明',
  ],
  [
    'big5',
    'peap9qTptMEsukutbiy576TopOGmVyyk5KVYqvfDQiymc6RKqvfDQiy+bMNCCjIwMjYvMTEvMTAswuCxYiyzr6nJp2csLCIxLDMwMCIsIjUsMz' +
      'AwIgoyMDI2LzExLzExLKTixPK2TywsMTUsLCI1LDI4NSIK',
    '陳怡君',
  ],
]

async function readTexts(bytes: Uint8Array, profile: CsvProfile) {
  const found = collectStatements()
  await readCsv(bytes, { account: '1', accountName: null, currency: 'EUR', profile }, found.sink)
  expect(found.unreadable).toEqual([])
  return found.lines().flatMap(({ counterparty, remittance }) => [counterparty.name, ...remittance])
}

test.each(files)('a file in %s is recognised and read (product 6.11)', async (encoding, base64, text) => {
  const bytes = Buffer.from(base64, 'base64')
  const { profile, questions } = guessProfile(bytes)
  expect([profile.encoding, questions]).toEqual([encoding, expect.not.arrayContaining(['bookedOn', 'amount'])])
  expect(await readTexts(bytes, profile)).toContain(text)
})

/** What no frequency of letters tells: rare syllables, and narrow letters alone. */
const unrecognised: typeof files = [
  [
    'euc-kr',
    'RGF0ZSxUZXh0LEFtb3VudAoyMDI2LTExLTEwLLHouc7B2CBPUkQtMSw1LjAwCjIwMjYtMTEtMTEsjGO55rCix88gT1JELTIsNi4wMAo=',
    '똠방각하 ORD-2',
  ],
  [
    'shift_jis',
    'RGF0ZSxUZXh0LEFtb3VudAoyMDI2LzExLzEwLMzYutAg1M/A3iDA27MsMTMwMDAwCjIwMjYvMTEvMTEszNi60CC9vd63IMrFuiw0NDAK',
    'ﾌﾘｺﾐ ｽｽﾞｷ ﾊﾅｺ',
  ],
]

test.each(unrecognised)('a file in %s is read once that is chosen (product 6.11)', async (encoding, base64, text) => {
  const bytes = Buffer.from(base64, 'base64')
  const { profile } = guessProfile(bytes)
  expect(await readTexts(bytes, { ...profile, encoding })).toContain(text)
})

test('a file of Korean Windows with bytes that are no character is refused', () => {
  for (const bytes of ['80', 'ff', '81', 'b0'])
    expect(() => decodeText(Buffer.from(bytes, 'hex'), 'euc-kr'), bytes).toThrow('The file is not euc-kr')
})

test('accented letters of Europe are taken for no other script', () => {
  const texts = [
    'Datum;Währung;Größe;MÜßIG;ÄÖÜ;Ä;Österreich',
    'Débit;Crédit;Libellé;créée;Noël;À Ç È',
    'DESCRIÇÃO;AÇÃO;SÃO JOSÉ;transação',
    'Fecha operación;España;Ñandú;¿Qué?',
    'Kæmpe rødgrød på båd;Åse Ærø',
  ]
  for (const text of texts) expect(guessCsvEncoding(Buffer.from(text, 'latin1')), text).toBe('windows-1252')
})

test('letters of Central Europe are taken for those of windows-1250', () => {
  // "Data księgowania;Nadawca;Tytuł;Kwota\n18.11.2026;Łukasz Żółć;Wpłata środków;1 500,00\n"
  const polish =
    'RGF0YSBrc2nqZ293YW5pYTtOYWRhd2NhO1R5dHWzO0t3b3RhCjE4LjExLjIwMjY7o3VrYXN6IK/zs+Y7V3CzYXRhIJxyb2Rr83c7MSA1MDAsMDAK'
  expect(guessCsvEncoding(Buffer.from(polish, 'base64'))).toBe('windows-1250')
})

test('a mark, UTF-16 and UTF-8 tell their encoding', () => {
  expect(guessCsvEncoding(Buffer.from('\uFEFF거래일시', 'utf16le'))).toBe('utf-16le')
  expect(guessCsvEncoding(Buffer.from('거래일시'))).toBe('utf-8')
})
