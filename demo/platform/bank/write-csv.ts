import { fromUnits } from '#server/lib/decimal.ts'
import { type FileSettings, listBalances, type Movement, sortByDay, type WrittenFile } from './statement-file.ts'

interface CsvDialect {
  encoding: 'latin1' | 'utf8'
  hasByteOrderMark: boolean
  delimiter: string
  /** Lines before the header. */
  before: (account: string) => string[]
  header: string[]
  row: (payment: Movement, balance: string) => string[]
}

const turnDay = (day: string, sign: string) => day.split('-').toReversed().join(sign)
const signed = ({ direction, amount }: Movement) => (direction === 'debit' ? `-${amount}` : amount)
const getText = ({ text, rf }: Movement) => [text, rf].filter(Boolean).join(' ')
const groupDigits = (whole: string, sign: string) => whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, sign)

function toGerman(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${groupDigits(whole, '.')},${fraction}`
}

function toBritish(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${groupDigits(whole, ',')}.${fraction}`
}

const dialects = {
  de: {
    encoding: 'latin1',
    hasByteOrderMark: false,
    delimiter: ';',
    before: (account) => [`Konto;${account}`, 'Zeitraum;01.11.2026 - 20.11.2026', ''],
    header: ['Buchungstag', 'Valuta', 'Auftraggeber', 'IBAN', 'Verwendungszweck', 'Betrag', 'Währung'],
    row: (payment) => {
      const day = turnDay(payment.bookedOn, '.')
      const { name, iban } = payment.payer
      return [day, day, name ?? '', iban ?? '', getText(payment), toGerman(signed(payment)), payment.currency]
    },
  },
  uk: {
    encoding: 'utf8',
    hasByteOrderMark: true,
    delimiter: ',',
    before: () => [],
    header: ['Date', 'Name', 'Reference', 'Paid in', 'Paid out', 'Balance', 'Currency'],
    row: (payment, balance) => {
      const amount = toBritish(payment.amount)
      const columns = payment.direction === 'credit' ? [amount, ''] : ['', amount]
      const day = turnDay(payment.bookedOn, '/')
      return [day, payment.payer.name ?? '', getText(payment), ...columns, toBritish(balance), payment.currency]
    },
  },
  pt: {
    encoding: 'utf8',
    hasByteOrderMark: false,
    delimiter: '\t',
    before: () => ['Extrato de movimentos', ''],
    header: ['Data mov.', 'Data valor', 'Descrição', 'Ordenante', 'Conta origem', 'Montante', 'Saldo'],
    row: (payment, balance) => {
      const { bookedOn, payer } = payment
      const amounts = [toGerman(signed(payment)), toGerman(balance)]
      return [bookedOn, bookedOn, getText(payment), payer.name ?? '', payer.iban ?? '', ...amounts]
    },
  },
} satisfies Record<string, CsvDialect>

const quoteValue = (value: string, delimiter: string) =>
  value.includes(delimiter) || /["\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value

export function writeCsv<M extends Movement>(
  given: readonly M[],
  settings: FileSettings,
  name: keyof typeof dialects,
): WrittenFile<M> {
  const dialect: CsvDialect = dialects[name]
  const payments = sortByDay(given)
  const balances = listBalances(payments, settings)
  const rows = payments.map((payment, n) =>
    dialect
      .row(payment, fromUnits(balances[n]!))
      .map((value) => quoteValue(value, dialect.delimiter))
      .join(dialect.delimiter),
  )
  const lines = [...dialect.before(settings.account), dialect.header.join(dialect.delimiter), ...rows, '']
  const text = `${dialect.hasByteOrderMark ? '\uFEFF' : ''}${lines.join('\r\n')}`
  return { content: Buffer.from(text, dialect.encoding), payments }
}
