import { toUnits } from '#server/lib/decimal.ts'
import { toSepaText } from './sepa-text.ts'
import {
  cutText,
  type FileSettings,
  listBalances,
  type Movement,
  readOpening,
  sortByDay,
  toUnsigned,
  type WrittenFile,
} from './statement-file.ts'

export type Mt940Dialect = 'german' | 'dutch' | 'plain'

const toShortDay = (day: string) => day.slice(2).replaceAll('-', '')
const writeAmount = (amount: string) => amount.replace('.', ',')
const breakLines = (text: string) => cutText(text, 65).join('\r\n')
const upper = (text: string) => toSepaText(text, true).toUpperCase()

/** A statement. After `perPage` movements it goes on in another message. */
export function writeMt940<M extends Movement>(
  given: readonly M[],
  settings: FileSettings,
  dialect: Mt940Dialect,
  perPage = Number.MAX_SAFE_INTEGER,
): WrittenFile<M> {
  const payments = sortByDay(given)
  const balances = [readOpening(settings), ...listBalances(payments, settings)]
  if (settings.closing !== undefined) balances.splice(-1, 1, toUnits(settings.closing))
  const messages: string[] = []
  for (let from = 0; from < payments.length; from += perPage) {
    const page = payments.slice(from, from + perPage)
    const isLast = from + perPage >= payments.length
    const number = Math.floor(from / perPage) + 1
    const writeBalance = (tag: string, day: string, balance: bigint) =>
      `${tag}${balance < 0n ? 'D' : 'C'}${toShortDay(day)}${settings.currency}${writeAmount(toUnsigned(balance))}`
    messages.push(
      `:20:STARTUMS${number}`,
      `:25:${settings.account}`,
      `:28C:${String(settings.number ?? 1).padStart(5, '0')}/${number}`,
      writeBalance(from === 0 ? ':60F:' : ':60M:', page[0]!.bookedOn, balances[from]!),
      ...page.flatMap((payment, n) => [
        writeMovement(payment, settings, dialect, from + n),
        `:86:${details[dialect](payment)}`,
      ]),
      writeBalance(isLast ? ':62F:' : ':62M:', page.at(-1)!.bookedOn, balances[from + page.length]!),
      '-',
    )
  }
  return { content: Buffer.from(`${messages.join('\r\n')}\r\n`, 'latin1'), payments }
}

/** `RC` is a credit that is taken back, `RD` a debit that is. */
function writeMovement(payment: Movement, { currency }: FileSettings, dialect: Mt940Dialect, n: number): string {
  const { direction, isReversal, bookedOn, amount, endToEndId } = payment
  const mark = isReversal ? (direction === 'debit' ? 'RC' : 'RD') : direction === 'debit' ? 'D' : 'C'
  const day = `${toShortDay(bookedOn)}${bookedOn.slice(5).replace('-', '')}`
  const forms = {
    german: `${mark}${currency[2]}${writeAmount(amount)}NTRFNONREF`,
    dutch: `${mark}${writeAmount(amount)}N654EREF`,
    plain: `${mark}${writeAmount(amount)}NTRF${(endToEndId ?? 'NONREF').slice(0, 16)}//${toShortDay(bookedOn)}${String(n).padStart(6, '0')}`,
  }
  return `:61:${day}${forms[dialect]}`
}

const details: Record<Mt940Dialect, (payment: Movement) => string> = {
  german({ payer, text, rf, endToEndId, direction, isReversal }) {
    const code = direction === 'credit' ? '166' : isReversal ? '109' : '116'
    const written = [upper(text), rf].filter(Boolean).join(' ')
    const remittance = `${endToEndId ? `EREF+${endToEndId} ` : ''}SVWZ+${written}`
    // What ends in a blank loses it.
    const pieces = cutText(remittance, 27).slice(0, 10)
    const name = cutText(upper(payer.name ?? ''), 27).slice(0, 2)
    const fields = [
      `00${direction === 'debit' ? 'UEBERWEISUNG' : 'GUTSCHRIFT'}`,
      '10931',
      ...pieces.map((piece, n) => `${20 + n}${piece.trimEnd()}`),
      ...(payer.iban ? ['30XXBKDEFFXXX', `31${payer.iban}`] : []),
      ...name.map((piece, n) => `${32 + n}${piece}`),
    ]
    return breakLines(`${code}${fields.map((field) => `?${field}`).join('')}`)
  },
  dutch({ payer, text, rf, endToEndId }) {
    const account = payer.iban ? `/IBAN/${payer.iban}/BIC/XXBKNL2A` : ''
    const remittance = rf ? `STRD/ISO/${rf}` : toSepaText(text, false)
    const name = toSepaText(payer.name ?? '', false).slice(0, 32)
    return breakLines(
      `/TRTP/SEPA OVERBOEKING${account}/NAME/${name}/REMI/${remittance}/EREF/${endToEndId ?? 'NOTPROVIDED'}`,
    )
  },
  plain({ payer, text, rf }) {
    const written = [toSepaText(text, false), rf].filter(Boolean).join(' ')
    const rows = [
      toSepaText(payer.name ?? '', false).slice(0, 35),
      payer.iban ? `IBAN ${payer.iban}` : '',
      ...cutText(written, 65),
    ]
    return (rows.filter((row) => row.trim() !== '').join('\r\n') || 'TRANSFER').toUpperCase()
  },
}
