import { csvColumns, type CsvColumn } from '#contract/csv-profile.ts'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'

/** What headings mean, in the languages of banks. Of one column's words the first one that is found decides. */
const headings: Record<CsvColumn, string> = {
  bookedOn:
    'buchungstag|buchungsdatum|booking date|transaction date|data mov|data movimento|data operacao|fecha operacion|' +
    'boekdatum|boekingsdatum|date operation|data operazione|data ksiegowania|bogforingsdato|datum|date|data|fecha|dato',
  valueOn: 'valuta|valutadatum|wertstellung|value date|data valor|fecha valor|date valeur|data valuta|rentedatum',
  amount: 'betrag|amount|montante|importe|bedrag|montant|importo|kwota|valor|belob',
  credit: 'paid in|money in|credit|credito|haben|gutschrift|bij|entradas|ingreso|avere',
  debit: 'paid out|money out|debit|debito|soll|lastschrift|saidas|cargo|dare',
  sign: 'af bij|soll/haben|debit/credit|dc|type',
  currency: 'wahrung|currency|moeda|divisa|munt|devise|valuta/currency|waluta',
  name:
    'auftraggeber|name|zahlungspflichtiger|beguenstigter/zahlungspflichtiger|payer|counterparty|ordenante|tegenpartij|' +
    'naam|nom|nadawca|merchant|contraparte|ordinante',
  iban:
    'iban|kontonummer/iban|conta origem|cuenta|tegenrekening|account number|kontonummer|gegenkonto|rachunek|' +
    'counterparty account',
  remittance:
    'verwendungszweck|reference|description|descricao|concepto|omschrijving|libelle|descrizione|details|communication|' +
    'tytul|narrative|tekst|mededelingen',
  bankReference: 'transaction id|referenz|bank reference|n movimento|transactiereferentie|id',
  balance: 'saldo|balance|saldo contabilistico|solde|kontostand|saldo na',
}

/** A heading without accents, case and signs. */
const foldHeading = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[._:()\s]+/g, ' ')
    .trim()

/** The columns that a row of headings names; none where it has no date or no amount. */
export function findColumns(row: readonly string[]): CsvProfile['columns'] {
  const columns: CsvProfile['columns'] = {}
  const taken = new Set<number>()
  const folded = row.map(foldHeading)
  for (const name of csvColumns) {
    const words = headings[name].split('|')
    const free = (isHeading: (cell: string, word: string) => boolean) =>
      words.map((word) => folded.findIndex((cell, at) => !taken.has(at) && isHeading(cell, word))).find((at) => at >= 0)
    const found = free((cell, word) => cell === word) ?? free((cell, word) => cell.startsWith(`${word} `))
    if (found === undefined) continue
    columns[name] = found
    taken.add(found)
  }
  const hasAmount = columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined
  return columns.bookedOn !== undefined && hasAmount ? columns : {}
}

/** Whether a row has the headings, in the columns that are read, with which the profile was confirmed. */
export function hasSameHeadings({ columns, headings }: CsvProfile, row: readonly string[]): boolean {
  if (!headings) return true
  return Object.values(columns).every((at) => foldHeading(headings[at] ?? '') === foldHeading(row[at] ?? ''))
}
