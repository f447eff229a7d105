import { type StatementLine, emptyCounterparty, newLine } from '#server/features/bank/statements/readers/statement.ts'

type LineChanges = Partial<StatementLine> & { payer?: string | null; iban?: string | null }

/** A booked credit of 100.00 EUR by Ana Lima on November 5, 2026. `payer` is the name, `iban` the account of the payer. */
export const makeStatementLine = (
  text: string | string[],
  { payer = 'ANA LIMA', iban = 'DE1', ...more }: LineChanges = {},
): StatementLine =>
  newLine({
    place: 'line 1',
    amount: '100.00',
    currency: 'EUR',
    direction: 'credit',
    bookedOn: '2026-11-05',
    remittance: [text].flat(),
    counterparty: { ...emptyCounterparty(), name: payer, iban },
    ...more,
  })
