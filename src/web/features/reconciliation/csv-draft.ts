import type { CsvColumn, CsvQuestion } from '#contract/csv-profile.ts'
import type { CsvColumnsGuess, CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'

/** What the operator has chosen so far. Empty: not yet. */
export interface CsvDraft extends Pick<CsvProfile, 'encoding' | 'delimiter' | 'headerRow' | 'columns'> {
  decimalSign: CsvProfile['decimalSign'] | ''
  dateOrder: CsvProfile['dateOrder'] | ''
  /** Columns that may be an account or a text, until the operator has said which. */
  undecided: number[]
  /** What the operator has chosen, which no guess changes: the meanings of columns by their place, and the other fields. */
  byHand: { columns: Record<number, CsvColumn | ''>; decimalSign: boolean; dateOrder: boolean }
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
  byHand: { columns: {}, decimalSign: false, dateOrder: false },
})

/** What the guess of a file says, in the form of a guess of its columns. */
export const toColumnsGuess = ({ profile, questions, unsure }: CsvProfileNeeded): CsvColumnsGuess => ({
  columns: profile.columns,
  decimalSign: questions.includes('decimalSign') ? null : profile.decimalSign,
  dateOrder: questions.includes('dateOrder') ? null : profile.dateOrder,
  unsure,
})

/** A guess for another layout, of a table with `width` columns. What the operator chose stays where it still names a column. */
export function takeGuess(draft: CsvDraft, guess: CsvColumnsGuess, width: number): CsvDraft {
  const { byHand } = draft
  const kept = Object.entries(byHand.columns).filter(([at]) => Number(at) < width)
  const guessed: CsvDraft = {
    ...draft,
    columns: guess.columns,
    undecided: guess.unsure.map(({ column }) => column),
    decimalSign: byHand.decimalSign ? draft.decimalSign : (guess.decimalSign ?? ''),
    dateOrder: byHand.dateOrder ? draft.dateOrder : (guess.dateOrder ?? ''),
    byHand: { ...byHand, columns: {} },
  }
  return kept.reduce((now, [at, meaning]) => ({ ...now, ...assignColumn(now, Number(at), meaning) }), guessed)
}

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

export type Assigned = Pick<CsvDraft, 'columns' | 'undecided' | 'byHand'>

/** Gives a column of the file a meaning, or none, by hand. A meaning belongs to one column. */
export function assignColumn({ columns, undecided, byHand }: Assigned, at: number, meaning: CsvColumn | ''): Assigned {
  const chosen = Object.entries(byHand.columns).filter(([, name]) => name === '' || name !== meaning)
  const others = Object.entries(columns).filter(([name, index]) => index !== at && name !== meaning)
  return {
    columns: Object.fromEntries(meaning === '' ? others : [...others, [meaning, at]]),
    undecided: undecided.filter((column) => column !== at),
    byHand: { ...byHand, columns: { ...Object.fromEntries(chosen), [at]: meaning } },
  }
}

/** Null while a question is open that the file cannot be read without. */
export function buildProfile(draft: CsvDraft, headings: string[]): CsvProfile | null {
  const { encoding, delimiter, headerRow, columns, decimalSign, dateOrder } = draft
  const isOpen = findOpenQuestions(draft).some((question) => question !== 'currency')
  if (isOpen || decimalSign === '' || dateOrder === '') return null
  return { encoding, delimiter, headerRow, columns, decimalSign, dateOrder, ...(headings.length > 0 && { headings }) }
}
