import { absolute, fromUnits, toUnits } from '#server/lib/decimal.ts'
import { emptyTransaction, readBankCode, type Transaction } from './camt-transaction.ts'
import {
  type Entry,
  StatementError,
  type BookingState,
  type StatementLine,
  type StructuredReference,
  newLine,
  signedUnits,
} from './statement.ts'
import { isFilled } from './text.ts'
import { childAt, dayAt, isTrueAt, moneyOf, noAmount, textAt, type Money, type XmlNode } from './xml.ts'

/** Transactions of a batch that are held until it is known how to divide it. */
const heldTransactions = 1000

/** Texts of transactions without amounts that are kept in the line that stands for them. */
const keptTexts = 1000

const bookingStates: Record<string, BookingState> = { BOOK: 'booked', PDNG: 'pending', FUTR: 'pending', INFO: 'info' }

/** What an entry says of all its transactions. */
interface EntryHeader {
  total: Money
  shared: Pick<StatementLine, 'isReversal' | 'booking' | 'bookedOn' | 'valueOn'>
  direction: StatementLine['direction']
  bankReference: string | null
  entryNumber: string | null
  code: string | null
  info: string[]
  warnings: string[]
}

/** The direction of this very booking. A reversal does not turn it round (ISO 20022, CdtDbtInd and RvslInd). */
function readDirection(node: XmlNode): StatementLine['direction'] {
  const indicator = textAt(node, 'CdtDbtInd')
  if (indicator === 'CRDT') return 'credit'
  if (indicator === 'DBIT') return 'debit'
  throw new StatementError('the entry is neither CRDT nor DBIT', `line ${node.line}`)
}

function readTotal(node: XmlNode): Money {
  const amount = childAt(node, 'Amt')
  if (!amount) throw new StatementError('the entry has no amount', `line ${node.line}`)
  const total = moneyOf(amount)
  if (!total) throw new StatementError(noAmount(amount))
  return total
}

function readBooking(node: XmlNode): BookingState {
  const status = textAt(node, 'Sts/Cd', 'Sts/Prtry', 'Sts')
  return status ? (bookingStates[status] ?? 'info') : 'booked'
}

function readEntryHeader(node: XmlNode): EntryHeader {
  const warnings: string[] = []
  const bookedOn = dayAt(node, 'BookgDt', warnings)
  const valueOn = dayAt(node, 'ValDt', warnings)
  return {
    total: readTotal(node),
    direction: readDirection(node),
    shared: {
      isReversal: isTrueAt(node, 'RvslInd'),
      booking: readBooking(node),
      bookedOn: bookedOn ?? valueOn,
      valueOn: valueOn ?? bookedOn,
    },
    bankReference: textAt(node, 'AcctSvcrRef'),
    entryNumber: textAt(node, 'NtryRef'),
    code: readBankCode(childAt(node, 'BkTxCd')),
    info: [textAt(node, 'AddtlNtryInf')].filter(isFilled),
    warnings,
  }
}

const isSameMoney = (a: Money, b: Money) => a.currency === b.currency && toUnits(a.amount) === toUnits(b.amount)

const toEntry = ({ total, direction }: EntryHeader, reference: string): Entry => ({
  reference,
  amount: total.amount,
  direction,
})

type Placement = Pick<StatementLine, 'place'> & Partial<StatementLine>

function toLine(header: EntryHeader, transaction: Transaction, money: Money, placement: Placement): StatementLine {
  const { amounts, debtor, creditor, carried } = transaction
  const direction = placement.direction ?? header.direction
  // In a reversal of a credit the payer is still the debtor of the first booking.
  const isToOther = (direction === 'debit') !== header.shared.isReversal
  const bankReference = carried.bankReference ?? header.bankReference
  const isTransaction = placement.batch ? !placement.batch.isWhole : bankReference !== header.bankReference
  return newLine({
    ...carried,
    ...header.shared,
    ...money,
    code: header.code ?? carried.code,
    bankReference,
    ...(!bankReference && header.entryNumber && { entryNumber: header.entryNumber }),
    ...(isTransaction && header.bankReference && { entry: toEntry(header, header.bankReference) }),
    info: [...carried.info, ...header.info],
    warnings: [...header.warnings, ...carried.warnings],
    counterparty: isToOther ? creditor : debtor,
    instructed: amounts.find((amount) => !isSameMoney(amount, money)) ?? null,
    ...placement,
    direction,
  })
}

/** How far a batch is divided into lines. */
interface Division {
  /** The batch is one line, because its transactions cannot be told apart by amount or are not all detailed. */
  isWhole: boolean
  /** How many transactions are detailed. */
  count: number
  /** The lines' sum in units of 1e-5, credits above 0. */
  units: bigint
  /** What transactions without an amount in the currency of the entry say. */
  texts: string[]
  structured: StructuredReference[]
}

function keepTexts(division: Division, { carried }: Transaction) {
  if (division.texts.length < keptTexts) division.texts.push(...carried.remittance)
  if (division.structured.length < keptTexts) division.structured.push(...carried.structured)
}

/**
 * Makes lines of an entry's transactions: one each, and one of what they leave of the booked sum. An entry without details is one
 * line, and so is a batch whose transactions have no amounts. Of a large batch only some transactions are held at once.
 * Throws a `StatementError` where the entry has no amount or direction.
 */
export class EntryReader {
  readonly node: XmlNode
  readonly #place: string
  #held: Transaction[] = []
  #division: Division | null = null
  #batchCount: number | null = null

  constructor(node: XmlNode, place: string) {
    this.node = node
    this.#place = place
  }

  /** Takes what the file says of the size of a batch. An entry may have several. */
  addBatchCount(text: string | null) {
    if (text && /^\d{1,9}$/.test(text)) this.#batchCount = (this.#batchCount ?? 0) + Number(text)
  }

  /** Takes a transaction, and answers the lines that are complete by now. */
  add(transaction: Transaction): StatementLine[] {
    this.#held.push(transaction)
    if (this.#held.length < heldTransactions) return []
    return this.#divide(readEntryHeader(this.node), this.#batchCount)
  }

  /** The entry is over: answers its last lines. */
  end(): StatementLine[] {
    const header = readEntryHeader(this.node)
    const detailed = (this.#division?.count ?? 0) + this.#held.length
    const count = Math.max(this.#batchCount ?? 0, detailed)
    if (count <= 1 && !this.#isPartial(header))
      return [toLine(header, this.#held[0] ?? emptyTransaction(), header.total, { place: this.#place })]
    const lines = this.#divide(header, count, detailed < count)
    return [...lines, ...this.#remainder(header, count)]
  }

  /** Whether the one transaction of a credit is less than what was booked: the others are not detailed. */
  #isPartial({ total, direction }: EntryHeader): boolean {
    const own = this.#held[0]?.amounts.find(({ currency }) => currency === total.currency)
    return direction === 'credit' && own !== undefined && toUnits(own.amount) < toUnits(total.amount)
  }

  #divide(header: EntryHeader, count: number | null, isPartial = false): StatementLine[] {
    const { currency, amount: total } = header.total
    const held = this.#held
    this.#held = []
    const ownAmount = ({ amounts }: Transaction) => amounts.find((money) => money.currency === currency)
    const isWhole = isPartial || !held.every(ownAmount)
    const division = (this.#division ??= { isWhole, count: 0, units: 0n, texts: [], structured: [] })
    return held.flatMap((transaction) => {
      const index = (division.count += 1)
      const money = ownAmount(transaction)
      if (division.isWhole || !money) {
        keepTexts(division, transaction)
        return []
      }
      const place = `${this.#place}, transaction ${index}${count === null ? '' : ` of ${count}`}`
      const direction = transaction.direction ?? header.direction
      division.units += signedUnits({ amount: money.amount, direction })
      return toLine(header, transaction, money, { place, direction, batch: { total, count, index } })
    })
  }

  /** The line that stands for what has no line of its own: the whole batch, or a difference to the booked sum. */
  #remainder(header: EntryHeader, count: number): StatementLine[] {
    if (!this.#division) return []
    const { isWhole, count: detailed, units, texts, structured } = this.#division
    const { total, direction } = header
    const rest = signedUnits({ amount: total.amount, direction }) - units
    if (rest === 0n && !isWhole) return []
    const money = isWhole ? total : { amount: fromUnits(absolute(rest)), currency: total.currency }
    const warning = !isWhole
      ? 'the difference between the entry and its transactions'
      : detailed < count
        ? `a batch of ${count} transactions, of which ${detailed} are detailed`
        : `${count} transactions without amounts of their own`
    return [
      toLine(header, emptyTransaction(), money, {
        place: isWhole ? this.#place : `${this.#place}, rest`,
        direction: isWhole ? direction : rest < 0n ? 'debit' : 'credit',
        batch: { total: total.amount, count, ...(isWhole ? { isWhole } : { isRest: true }) },
        remittance: texts,
        structured,
        warnings: [...header.warnings, warning],
      }),
    ]
  }
}
