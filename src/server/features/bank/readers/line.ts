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
