import { expect, test } from 'vitest'
import type { BankLine } from '#contract/schemas/bank.ts'
import { writeOffCodesOf, suggestWriteOffCode } from './write-off-codes.ts'

const makeLine = (
  direction: BankLine['direction'],
  text: string,
  name: string | null = null,
  more: Partial<BankLine> = {},
) => ({ direction, remittance: [text], info: [], payer: { name, account: null }, ...more }) as unknown as BankLine

test('a digit puts money in and money out aside for the same (product 5.13)', () => {
  const { credit, debit } = writeOffCodesOf
  expect(credit.slice(0, -1)).toEqual(debit.slice(0, -1))
  expect([credit.at(-1), debit.at(-1)]).toEqual(['small_difference', 'outgoing'])
})

test("the bank's own fee and interest are told by their text (product 5.13)", () => {
  expect(suggestWriteOffCode(makeLine('debit', 'ENTGELTABSCHLUSS 30.11.'))).toBe('fee')
  expect(suggestWriteOffCode(makeLine('debit', 'Foreign payment fee'))).toBe('fee')
  expect(suggestWriteOffCode(makeLine('credit', 'Habenzinsen Q3'))).toBe('interest')
})

test('what is somebody else’s is not a fee of the bank, whatever its text says (product 5.13)', () => {
  expect(suggestWriteOffCode(makeLine('debit', 'Legal fees', 'Kanzlei Ebert'))).toBe('outgoing')
  expect(suggestWriteOffCode(makeLine('credit', 'Interest', 'Kanzlei Ebert'))).toBeNull()
})

test('money to or from an account of ours is a transfer between own accounts (product 5.13)', () => {
  const payer = { name: 'Meridian', account: 'NL91ABNA0417164300' } as BankLine['payer']
  for (const direction of ['credit', 'debit'] as const)
    expect(suggestWriteOffCode(makeLine(direction, 'Sweep', null, { payer }), ['NL91ABNA0417164300'])).toBe(
      'own_transfer',
    )
  expect(suggestWriteOffCode(makeLine('debit', 'Sweep', null, { payer }), ['DE1'])).toBe('outgoing')
})

test('what the bank took back is not a payment of our own (product 5.13)', () => {
  expect(suggestWriteOffCode(makeLine('debit', 'Storno', 'Kim', { isReversal: true }))).toBe('unknown_returned')
})
