import { expect, test } from 'vitest'
import { newLine } from './statement.ts'
import { readDetails } from './mt940-details.ts'

function read(value: string, info: string[] = []) {
  const line = newLine({ place: 'line 1', amount: '5.00', currency: 'EUR', direction: 'credit', info })
  readDetails(line, value)
  return line
}

test('the German subfields are read, wherever they are cut', () => {
  const line = read(
    '166?00GUTSCHRIFT?20EREF+ABC-1234 SVWZ+ORD-0102?2140 Solar Park fuer mich und?22dich ABWA+Rui Lima?30XXBK?3' +
      '\n1DE89370400440532013000?32ANA LI?33MA',
  )
  expect(line).toMatchObject({
    code: '166',
    endToEndId: 'ABC-1234',
    counterparty: {
      name: 'ANA LIMA',
      ultimate: 'Rui Lima',
      iban: 'DE89370400440532013000',
      account: null,
      bic: 'XXBK',
    },
    info: ['GUTSCHRIFT'],
  })
  expect(line.remittance.join('')).toMatch(/ORD-010240 Solar Park/)
})

test('a keyword may be cut in two', () => {
  const line = read('166?00X?20ORD-010240 EREF+ABC-1234 SV?21WZ+für dich MREF+M-2?32ANA LIMA')
  expect(line).toMatchObject({ endToEndId: 'ABC-1234', mandateId: 'M-2' })
  expect(line.remittance).toEqual(['ORD-010240', 'für dich'])
})

test('two German subfields without a code are read', () => {
  const line = read('?20SVWZ+ORD-030019?32KIM MIN-JUN')
  expect(line).toMatchObject({ code: null, counterparty: { name: 'KIM MIN-JUN' }, remittance: ['ORD-030019'] })
})

test('free text with question marks and digits stays as it is', () => {
  expect(read('?20 percent off?99 really').remittance).toEqual(['?20 percent off?99 really'])
  expect(read('?20 Euro').remittance).toEqual(['?20 Euro'])
})

test('an account that is not an IBAN stays an account', () => {
  expect(read('166?00X?20A?310532013000?32ANA').counterparty).toMatchObject({ iban: null, account: '0532013000' })
})

test('the Polish subfields have the name in 27 and the account in 38', () => {
  const line = read('020<00PRZELEW<20ORD-010240<21 oplata<27ANA<28 LIMA<38DE89370400440532013000')
  expect(line.counterparty).toMatchObject({ name: 'ANA LIMA', iban: 'DE89370400440532013000' })
  expect(line.remittance.join(' ')).toContain('ORD-010240')
})

test('values between slashes may hold slashes', () => {
  const line = read(
    '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/A L\nIMA/REMI/ORD/010240/EREF/E-1',
  )
  expect(line).toMatchObject({
    remittance: ['ORD/010240'],
    endToEndId: 'E-1',
    info: ['SEPA OVERBOEKING'],
    counterparty: { name: 'A LIMA', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
  })
})

test('a structured reference between slashes keeps its scheme', () => {
  expect(read('/EREF/E-2/NAME/B/REMI/STRD/ISO/RF18539007547034/').structured).toEqual([
    { scheme: 'SCOR', reference: 'RF18539007547034' },
  ])
  expect(read('/EREF/E-2/REMI/STRD/CUR/9000000000000000/').structured).toEqual([
    { scheme: 'CUR', reference: '9000000000000000' },
  ])
})

test('the other side may stand together between slashes', () => {
  const line = read('/EREF/E-3/CNTP/NL91ABNA0417164300/ABNANL2A/Ana Lima/UTRECHT/REMI/USTD//ORD-010240/')
  expect(line.counterparty).toMatchObject({ iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', name: 'Ana Lima' })
  expect(line.remittance).toEqual(['ORD-010240'])
})

test('the account may stand in the supplement of the movement', () => {
  expect(read('/ORDP//NAME/Ana Lima/REMI/ORD-1', ['NL91ABNA0417164300']).counterparty).toMatchObject({
    iban: 'NL91ABNA0417164300',
    name: 'Ana Lima',
  })
})

test('columns with labels are taken apart', () => {
  const line = read('SEPA OVERBOEKING IBAN: NL91ABNA0417164300\nNAAM: Ana Lima\nOMSCHRIJVING: ORD-010240\nKENMERK: E-4')
  expect(line).toMatchObject({
    counterparty: { name: null, iban: null, textName: 'Ana Lima', textIban: 'NL91ABNA0417164300' },
    remittance: ['ORD-010240'],
    endToEndId: 'E-4',
  })
})

test('free text keeps its rows and gives up the IBAN in it', () => {
  const line = read('ANA LIMA\nIBAN DE89 3704 0044 0532 0130 00\n\nORD-010240')
  expect(line.remittance).toEqual(['ANA LIMA', 'IBAN DE89 3704 0044 0532 0130 00', 'ORD-010240'])
  expect(line.counterparty).toMatchObject({ name: null, iban: null, textIban: 'DE89370400440532013000' })
})

test.each([
  ['free text', 'MALLORY EVIL ORD-7 NAME: Ana Lima IBAN: NL91ABNA0417164300'],
  [
    'a subfield in the text',
    '166?00X?20ORD-7 ?31DE89370400440532013000?32ANA LIMA?21more?31NL91ABNA0417164300?32MALLORY EVIL',
  ],
  ['a subfield of the text that comes again', '166?00X?20ORD-7?32ANA LIMA?31NL91ABNA0417164300?32MALLORY EVIL'],
  ['a keyword behind a text', 'MALLORY EVIL PAYS /NAME/ANA LIMA/IBAN/NL91ABNA0417164300'],
  ['a keyword of the other side behind a text', 'MALLORY EVIL /CNTP/NL91ABNA0417164300/X/ANA LIMA/'],
  ['an account of zeros', '166?00X?20ORD-7?310000000000'],
  ['the remittance', '/TRTP/X/REMI/USTD//ORD-7 /NAME/Ana Lima'],
  ['the remittance, with an account', '/TRTP/X/REMI/ORD-7/IBAN/NL91ABNA0417164300/NAME/Ana Lima'],
  ['a name that comes again', '/TRTP/X/NAME/MALLORY EVIL/REMI/ORD-7/NAME/Ana Lima'],
  ['the reference', '/EREF/E-1/NAME/Ana Lima/REMI/ORD-7'],
  [
    'an other side that comes again',
    '/EREF/E/CNTP/NL91ABNA0417164300/X/Ana Lima//CNTP/DE89370400440532013000/Y/MALLORY/REMI/ORD-7',
  ],
])('a payer whom %s names is not who paid by the bank', (_where, value) => {
  const { name, iban, account } = read(value).counterparty
  expect({ name, iban, account }).toEqual({ name: null, iban: null, account: null })
})

test.each([
  ['?32MALLORY EVIL', '166?00X?20SVWZ+ORD-7 ABWA+Ana Lima?32MALLORY EVIL'],
  ['/NAME/', '/TRTP/X/NAME/MALLORY EVIL/REMI/ORD-7/ULTD/NAME/Ana Lima'],
])('on whose behalf it was paid stands apart from the holder of the account in %s', (_field, value) => {
  expect(read(value).counterparty).toMatchObject({ name: 'MALLORY EVIL', ultimate: 'Ana Lima' })
})

test('an IBAN behind a keyword of the text is not the account of the payer', () => {
  const { iban, textIban } = read('166?00X?20SVWZ+ORD-7 IBAN+DE89370400440532013000?32MALLORY EVIL').counterparty
  expect({ iban, textIban }).toEqual({ iban: null, textIban: 'DE89370400440532013000' })
})

test('a Polish bank may write the name as German banks do', () => {
  expect(read('152~20ORD-1~32ANA LIMA~33UL. X~38PL61109010140000071219812874').counterparty).toMatchObject({
    name: 'ANA LIMAUL. X',
    iban: 'PL61109010140000071219812874',
  })
})
