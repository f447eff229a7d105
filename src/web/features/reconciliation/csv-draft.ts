import type { CsvColumn, CsvQuestion } from '#contract/csv-profile.ts'
import type { CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'

/** What the operator has chosen so far. Empty: not yet. */
export interface CsvDraft extends Pick<CsvProfile, 'encoding' | 'delimiter' | 'headerRow' | 'columns'> {
  decimalSign: CsvProfile['decimalSign'] | ''
  dateOrder: CsvProfile['dateOrder'] | ''
}

/** The guess, without what the file does not tell. */
export const startDraft = ({ profile, questions }: CsvProfileNeeded): CsvDraft => ({
  encoding: profile.encoding,
  delimiter: profile.delimiter,
  headerRow: profile.headerRow,
  columns: profile.columns,
  decimalSign: questions.includes('decimalSign') ? '' : profile.decimalSign,
  dateOrder: questions.includes('dateOrder') ? '' : profile.dateOrder,
})

/** The questions that the choices leave open. One of them, the currency, may stay so. */
export function findOpenQuestions({ columns, decimalSign, dateOrder }: CsvDraft): CsvQuestion[] {
  const { bookedOn, amount, credit, debit, currency } = columns
  const open: Record<CsvQuestion, boolean> = {
    bookedOn: bookedOn === undefined,
    amount: (amount ?? credit ?? debit) === undefined,
    decimalSign: decimalSign === '',
    dateOrder: dateOrder === '',
    currency: currency === undefined,
  }
  return Object.entries(open).flatMap(([question, isOpen]) => (isOpen ? [question as CsvQuestion] : []))
}

/** Gives a column of the file a meaning, or none. A meaning belongs to one column. */
export function assignColumn(columns: CsvDraft['columns'], at: number, meaning: CsvColumn | ''): CsvDraft['columns'] {
  const others = Object.entries(columns).filter(([name, index]) => index !== at && name !== meaning)
  return Object.fromEntries(meaning === '' ? others : [...others, [meaning, at]])
}

/** Null while a question is open that the file cannot be read without. */
export function buildProfile(draft: CsvDraft, headings: string[]): CsvProfile | null {
  const { decimalSign, dateOrder, ...rest } = draft
  const isOpen = findOpenQuestions(draft).some((question) => question !== 'currency')
  if (isOpen || decimalSign === '' || dateOrder === '') return null
  return { ...rest, decimalSign, dateOrder, ...(headings.length > 0 && { headings }) }
}
