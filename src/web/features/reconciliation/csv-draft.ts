import type { CsvColumn, CsvQuestion } from '#contract/csv-profile.ts'
import type { CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'

/** What the operator has chosen so far. Empty: not yet. */
export interface CsvDraft extends Pick<CsvProfile, 'encoding' | 'delimiter' | 'headerRow' | 'columns'> {
  decimalSign: CsvProfile['decimalSign'] | ''
  dateOrder: CsvProfile['dateOrder'] | ''
  /** Columns that may be an account or a text, until the operator has said which. */
  undecided: number[]
}

/** The guess, without what the file does not tell. */
export const startDraft = ({ profile, questions, unsure }: CsvProfileNeeded): CsvDraft => ({
  encoding: profile.encoding,
  delimiter: profile.delimiter,
  headerRow: profile.headerRow,
  columns: profile.columns,
  decimalSign: questions.includes('decimalSign') ? '' : profile.decimalSign,
  dateOrder: questions.includes('dateOrder') ? '' : profile.dateOrder,
  undecided: unsure.map(({ column }) => column),
})

/** The questions that the choices leave open. One of them, the currency, may stay so. */
export function findOpenQuestions({ columns, decimalSign, dateOrder, undecided }: CsvDraft): CsvQuestion[] {
  const { bookedOn, amount, credit, debit, currency } = columns
  const open: Record<CsvQuestion, boolean> = {
    bookedOn: bookedOn === undefined,
    amount: (amount ?? credit ?? debit) === undefined,
    decimalSign: decimalSign === '',
    dateOrder: dateOrder === '',
    columns: undecided.length > 0,
    currency: currency === undefined,
  }
  return Object.entries(open).flatMap(([question, isOpen]) => (isOpen ? [question as CsvQuestion] : []))
}

type Assigned = Pick<CsvDraft, 'columns' | 'undecided'>

/** Gives a column of the file a meaning, or none. A meaning belongs to one column. */
export function assignColumn({ columns, undecided }: Assigned, at: number, meaning: CsvColumn | ''): Assigned {
  const others = Object.entries(columns).filter(([name, index]) => index !== at && name !== meaning)
  return {
    columns: Object.fromEntries(meaning === '' ? others : [...others, [meaning, at]]),
    undecided: undecided.filter((column) => column !== at),
  }
}

/** Null while a question is open that the file cannot be read without. */
export function buildProfile(draft: CsvDraft, headings: string[]): CsvProfile | null {
  const { encoding, delimiter, headerRow, columns, decimalSign, dateOrder } = draft
  const isOpen = findOpenQuestions(draft).some((question) => question !== 'currency')
  if (isOpen || decimalSign === '' || dateOrder === '') return null
  return { encoding, delimiter, headerRow, columns, decimalSign, dateOrder, ...(headings.length > 0 && { headings }) }
}
