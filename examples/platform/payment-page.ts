import { encodeQR } from 'qr'

/** The parts of an order that its member pays by. */
export interface Payment {
  orderNumber: string
  status: string
  investmentAmount: string
  received: string
  currency: string
  bankName: string
  accountHolder: string
  iban: string
  swift: string
  paymentReference: string
  /** The text of the QR code, or null where there can be none. */
  epcPayload: string | null
}

/**
 * The QR code as an SVG picture. EPC069-12 asks for error correction M, and readers for four modules of white around it: so the paper
 * is part of the picture, also on a dark page.
 */
export const drawPaymentCode = (payload: string): string =>
  encodeQR(payload, 'svg', { ecc: 'medium', border: 4 }).replace(
    '><path',
    ' width="240" role="img" aria-label="QR code for the payment"><rect width="100%" height="100%" fill="#fff"/><path',
  )

const inGroups = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ')

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (mark) => marks[mark]!)

/** What an order's member sees: where to pay, with which reference, and the code to scan. */
export function renderPayment(payment: Payment): string {
  const { orderNumber, status, investmentAmount, received, currency, epcPayload } = payment
  const rows = [
    ['Amount', `${investmentAmount} ${currency}`],
    ['Received', `${received} ${currency}`],
    ['Payee', payment.accountHolder],
    ['IBAN', inGroups(payment.iban.replaceAll(' ', ''))],
    ['BIC', payment.swift],
    ['Bank', payment.bankName],
    ['Reference', inGroups(payment.paymentReference)],
  ].map(([name, value]) => `<dt>${name}</dt><dd>${escape(value!)}</dd>`)
  const how =
    status === 'waiting_payment'
      ? `<dl>${rows.join('')}</dl>${epcPayload === null ? '' : drawPaymentCode(epcPayload)}`
      : `<p>There is nothing to pay: the order is ${escape(status)}.</p>`
  const title = `Pay order ${escape(orderNumber)}`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${how}</html>`
}
