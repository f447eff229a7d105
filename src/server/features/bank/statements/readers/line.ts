import type { Counterparty, StatementLine } from './statement.ts'

export const emptyCounterparty = (): Counterparty => ({
  name: null,
  ultimate: null,
  iban: null,
  account: null,
  bic: null,
  textName: null,
  textIban: null,
})

type Essentials = Pick<StatementLine, 'place' | 'amount' | 'currency' | 'direction'>

/** A booked line of which nothing else is known. */
export const newLine = (known: Essentials & Partial<StatementLine>): StatementLine => ({
  isReversal: false,
  booking: 'booked',
  bookedOn: null,
  valueOn: null,
  bankReference: null,
  endToEndId: null,
  uetr: null,
  mandateId: null,
  structured: [],
  remittance: [],
  info: [],
  counterparty: emptyCounterparty(),
  code: null,
  returnReason: null,
  instructed: null,
  charges: [],
  batch: null,
  warnings: [],
  ...known,
})

/** How long the texts of a line are together. */
export const countLetters = ({ remittance, info, structured, endToEndId, counterparty }: StatementLine): number =>
  [...remittance, ...info, ...structured.map(({ reference }) => reference), endToEndId, ...Object.values(counterparty)]
    .map((text: string | null) => text?.length ?? 0)
    .reduce((sum, length) => sum + length, 0)
