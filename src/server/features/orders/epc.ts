import { orderStatusLabels } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { compactIban } from '#contract/iban.ts'
import { parseIban } from '#server/lib/iban.ts'

/** What the payload takes of an order. `status` is that of now: from `expiresAt` on it is `expired`. */
export interface PayableOrder extends Pick<
  Order,
  'status' | 'currency' | 'accountHolder' | 'iban' | 'swift' | 'paymentReference'
> {
  /** What the order still waits for, as a decimal string. */
  outstanding: string
}

/** The text of an EPC QR code, or why there can be none. One of them is null. */
type Epc = { epc: string; refusal: null } | { epc: null; refusal: string }

// EPC069-12, version 2.1: the most characters of the name, the most bytes of the whole, and the range of the amount.
const longestName = 70
const mostBytes = 331
const amountForm = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/
const bicForm = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/**
 * Builds the text of the QR code that a member scans to pay what is outstanding (EPC069-12). The code carries the
 * reference, so the payment is matched beyond doubt.
 */
export function buildEpc(order: PayableOrder): Epc {
  const name = tidyName(order.accountHolder)
  const iban = parseIban(order.iban)
  const amount = formatAmount(order.outstanding)
  const refusal = findRefusal(order, { name, iban, amount })
  if (refusal !== null) return { epc: null, refusal }
  const bic = compactIban(order.swift)
  const purpose = ''
  const head = ['BCD', '002', '1', 'SCT', bicForm.test(bic) ? bic : ''].join('\n')
  const rest = [iban, `EUR${amount}`, purpose, order.paymentReference].join('\n')
  const build = (payee: string) => `${head}\n${payee}\n${rest}`
  return { epc: build(cutName(name, mostBytes - Buffer.byteLength(build('')))), refusal: null }
}

interface Payee {
  name: string
  iban: string | null
  amount: string | null
}

function findRefusal({ status, currency, outstanding }: PayableOrder, { name, iban, amount }: Payee): string | null {
  if (status !== 'waiting_payment') return `This order is ${orderStatusLabels[status].toLowerCase()}`
  if (!/[1-9]/.test(outstanding)) return 'Nothing is outstanding'
  if (currency !== 'EUR') return `A payment code is for EUR only, and this order asks for ${currency}`
  if (iban === null) return 'The order has no valid IBAN'
  if (name === '') return 'The order names no account holder'
  if (amount === null) return `${outstanding} EUR do not fit into a payment code`
  return null
}

/** With 2 places. Null for more places or digits than a payment code can hold. */
function formatAmount(outstanding: string): string | null {
  const [, whole, cents = ''] = amountForm.exec(outstanding) ?? []
  return whole === undefined ? null : `${whole}.${cents.padEnd(2, '0')}`
}

/** On one line, because a line break ends the name. */
const tidyName = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** Cuts between characters, by their number and by their bytes in UTF-8. */
function cutName(name: string, most: number): string {
  const characters = Array.from(name).slice(0, longestName)
  while (Buffer.byteLength(characters.join('')) > most) characters.pop()
  return characters.join('').trim()
}
