import { expect, test } from 'vitest'
import type { BankLine } from '#contract/schemas/bank.ts'
import { describeFound, splitFound } from './found-text.ts'

const line = {
  remittance: ['PAGAMENTO ORD-O10240 SOLAR'],
  info: ['SEPA CT'],
  references: [{ kind: 'structured', reference: 'RF18ORD7' }],
} as unknown as BankLine

test('what was found stands alone in the text, in the order of the text (product 5.13)', () => {
  expect(splitFound('FV ord-2 i ORD-1', ['ORD-1', 'ORD-2'])).toEqual([
    { text: 'FV ', isFound: false },
    { text: 'ord-2', isFound: true },
    { text: ' i ', isFound: false },
    { text: 'ORD-1', isFound: true },
  ])
  expect(splitFound('ORD-10', ['ORD-1', 'ORD-10'])).toEqual([{ text: 'ORD-10', isFound: true }])
  expect(splitFound('nothing', ['ORD-1', ''])).toEqual([{ text: 'nothing', isFound: false }])
})

test('where a number was found is said with how it is written there (product 5.13)', () => {
  expect(describeFound(line, { text: 'ORD-O10240', kind: 'lookAlike', orderNumber: 'ORD-010240' })).toBe(
    'ORD-010240 found in the text, read with a look-alike such as O for 0',
  )
  expect(describeFound(line, { text: 'RF18ORD7', kind: 'rf', orderNumber: 'ORD-7' })).toBe(
    "ORD-7 found in the payer's reference, as payment reference",
  )
  expect(describeFound(line, { text: 'ORD8', kind: 'number', orderNumber: 'ORD-8' })).toBe(
    'ORD-8 found, as it is written',
  )
})
