import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderStatuses } from '#contract/order-moves.ts'
import { buildEpc, type PayableOrder } from './epc.ts'

const order: PayableOrder = {
  status: 'waiting_payment',
  currency: 'EUR',
  accountHolder: 'Solar Park Ltd',
  iban: 'PT50 0002 0123 1234 5678 9015 4',
  swift: 'MERIPTPL',
  outstanding: '1500.00',
  paymentReference: 'RF39ORD1042',
}
const payload = 'BCD\n002\n1\nSCT\nMERIPTPL\nSolar Park Ltd\nPT50000201231234567890154\nEUR1500.00\n\nRF39ORD1042'

const linesOf = (change: Partial<PayableOrder>) => buildEpc({ ...order, ...change }).epc!.split('\n')

test('the payment code of an order is the text of EPC069-12 (product 10.5)', () => {
  expect(buildEpc(order)).toEqual({ epc: payload, refusal: null })
})

test('the payment code asks for what is outstanding', () => {
  for (const outstanding of ['0.01', '460.50', '999999999.99'])
    expect(linesOf({ outstanding })[7]).toBe(`EUR${outstanding}`)
  for (const outstanding of ['460', '460.0', '460.00000']) expect(linesOf({ outstanding })[7]).toBe('EUR460.00')
})

test('a BIC that is not one is left out of the payment code', () => {
  for (const swift of ['', 'MERI', 'MERIPTPL1', '12345678', '0002']) expect(linesOf({ swift })[4]).toBe('')
  for (const swift of ['meri pt pl', 'MERIPTPLXXX']) expect(linesOf({ swift })[4]).toMatch(/^MERIPTPL(XXX)?$/)
})

test('the name of the account holder stays on one line and within 70 characters', () => {
  expect(linesOf({ accountHolder: ' Solar\nPark\r\n\tLtd ' })[5]).toBe('Solar Park Ltd')
  expect(linesOf({ accountHolder: 'é'.repeat(200) })[5]).toBe('é'.repeat(70))
  expect(linesOf({ accountHolder: `${'a'.repeat(69)} b` })[5]).toBe('a'.repeat(69))
})

test.each([
  [{ status: 'paid' }, 'This order is paid'],
  [{ status: 'expired' }, 'This order is expired'],
  [{ outstanding: '0.00' }, 'Nothing is outstanding'],
  [{ currency: 'CHF' }, 'A payment code is for EUR only, and this order asks for CHF'],
  [{ iban: '' }, 'The order has no valid IBAN'],
  [{ iban: 'PT51 0002 0123 1234 5678 9015 4' }, 'The order has no valid IBAN'],
  [{ accountHolder: ' \n' }, 'The order names no account holder'],
  [{ outstanding: '1000000000.00' }, '1000000000.00 EUR do not fit into a payment code'],
  [{ outstanding: '0.00001' }, '0.00001 EUR do not fit into a payment code'],
] as const)('there is no payment code with %o', (change, refusal) => {
  expect(buildEpc({ ...order, ...change })).toEqual({ epc: null, refusal })
})

test('only an order that waits for payment has a payment code', () => {
  const payable = orderStatuses.filter((status) => buildEpc({ ...order, status }).epc !== null)
  expect(payable).toEqual(['waiting_payment'])
})

test('a payment code has at most 331 bytes and ends with the reference', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(name, fc.constantFrom('', 'MERIPTPLXXX'), (accountHolder, swift) => {
      const { epc, refusal } = buildEpc({ ...order, accountHolder, swift, outstanding: '999999999.99' })
      if (refusal !== null) expect(refusal).toBe('The order names no account holder')
      if (epc === null) return
      const lines = epc.split('\n')
      expect(Buffer.byteLength(epc)).toBeLessThanOrEqual(331)
      expect(lines).toHaveLength(10)
      expect(lines[9]).toBe(order.paymentReference)
      expect([...lines[5]!].length).toBeLessThanOrEqual(70)
    }),
  )
})
