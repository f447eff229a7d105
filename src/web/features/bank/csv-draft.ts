import type { CsvColumn, CsvQuestion } from '#contract/csv-profile.ts'
import type { ColumnValues, CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'

/** What the words of two columns mean. */
export const wordMeanings = { sign: ['in', 'out'], state: ['booked', 'other'] } as const
export type WordColumn = keyof typeof wordMeanings
export type WordMeaning = (typeof wordMeanings)[WordColumn][number]

/** What the operator has chosen so far. Empty: not yet. */
export interface CsvDraft extends Pick<CsvProfile, 'encoding' | 'delimiter' | 'headerRow' | 'columns'> {
  decimalSign: CsvProfile['decimalSign'] | ''
  dateOrder: CsvProfile['dateOrder'] | ''
  /** What the words of the columns of signs and of states mean. */
  words: Record<WordColumn, Record<string, WordMeaning>>
  /** Columns that may be an account, a text or a fee, until the operator has said which. */
  undecided: number[]
  /** What the operator has chosen, which no guess changes: the meanings of columns by their place, and the other fields. */
  byHand: { columns: Record<number, CsvColumn | ''>; decimalSign: boolean; dateOrder: boolean }
}

const nameWords = <Meaning extends WordMeaning>(named: Record<Meaning, string[]> | undefined) =>
  Object.fromEntries(
    Object.entries<string[]>(named ?? {}).flatMap(([meaning, words]) => words.map((word) => [word, meaning])),
  ) as Record<string, WordMeaning>

/** The guess, without what the file does not tell. */
export const startDraft = ({ profile, questions, unsure }: Omit<CsvProfileNeeded, 'values'>): CsvDraft => ({
  encoding: profile.encoding,
  delimiter: profile.delimiter,
  headerRow: profile.headerRow,
  columns: profile.columns,
  decimalSign: questions.includes('decimalSign') ? '' : profile.decimalSign,
  dateOrder: questions.includes('dateOrder') ? '' : profile.dateOrder,
  words: { sign: nameWords(profile.signs), state: nameWords(profile.states) },
  undecided: unsure.map(({ column }) => column),
  byHand: { columns: {}, decimalSign: false, dateOrder: false },
})

/** The guess by another layout. What the operator chose stays where it still names a column. */
export function takeGuess(draft: CsvDraft, needed: CsvProfileNeeded): CsvDraft {
  const { byHand } = draft
  const kept = Object.entries(byHand.columns).filter(([at]) => Number(at) < needed.values.length)
  const started = startDraft(needed)
  const guessed: CsvDraft = {
    ...started,
    decimalSign: byHand.decimalSign ? draft.decimalSign : started.decimalSign,
    dateOrder: byHand.dateOrder ? draft.dateOrder : started.dateOrder,
    words: {
      sign: { ...started.words.sign, ...draft.words.sign },
      state: { ...started.words.state, ...draft.words.state },
    },
    byHand: { ...byHand, columns: {} },
  }
  return kept.reduce((now, [at, meaning]) => ({ ...now, ...assignColumn(now, Number(at), meaning) }), guessed)
}

/** The words that a column has, which the operator explains. */
export const listWords = (
  { columns }: Pick<CsvDraft, 'columns'>,
  column: WordColumn,
  values: ColumnValues[],
): string[] => values[columns[column] ?? -1]?.words ?? []

function isUnexplained(draft: CsvDraft, column: WordColumn, values: ColumnValues[]): boolean {
  if (draft.columns[column] === undefined) return false
  const words = listWords(draft, column, values)
  return words.length === 0 || words.some((word) => draft.words[column][word] === undefined)
}

/** The questions that the choices leave open. One of them, the currency, may stay so. */
export function findOpenQuestions(draft: CsvDraft, values: ColumnValues[]): CsvQuestion[] {
  const { columns, decimalSign, dateOrder, undecided } = draft
  const { bookedOn, amount, credit, debit, sign, currency } = columns
  const isUnsigned = amount !== undefined && sign === undefined && !values[amount]?.hasSign
  const open: Record<CsvQuestion, boolean> = {
    bookedOn: bookedOn === undefined,
    amount: (amount ?? credit ?? debit) === undefined,
    decimalSign: decimalSign === '',
    dateOrder: dateOrder === '',
    signs: isUnsigned || isUnexplained(draft, 'sign', values),
    states: isUnexplained(draft, 'state', values),
    columns: undecided.length > 0,
    currency: currency === undefined,
  }
  return Object.entries(open).flatMap(([question, isOpen]) => (isOpen ? [question as CsvQuestion] : []))
}

export type ColumnChoice = Pick<CsvDraft, 'columns' | 'undecided' | 'byHand'>

/** Gives a column of the file a meaning, or none, by hand. A meaning belongs to one column. */
export function assignColumn(
  { columns, undecided, byHand }: ColumnChoice,
  at: number,
  meaning: CsvColumn | '',
): ColumnChoice {
  const chosen = Object.entries(byHand.columns).filter(([, name]) => name === '' || name !== meaning)
  const others = Object.entries(columns).filter(([name, index]) => index !== at && name !== meaning)
  return {
    columns: Object.fromEntries(meaning === '' ? others : [...others, [meaning, at]]),
    undecided: undecided.filter((column) => column !== at),
    byHand: { ...byHand, columns: { ...Object.fromEntries(chosen), [at]: meaning } },
  }
}

/** Null while a question is open that the file cannot be read without. */
export function buildProfile(draft: CsvDraft, { headings, values }: CsvProfileNeeded): CsvProfile | null {
  const { encoding, delimiter, headerRow, columns, decimalSign, dateOrder, words } = draft
  const isOpen = findOpenQuestions(draft, values).some((question) => question !== 'currency')
  if (isOpen || decimalSign === '' || dateOrder === '') return null
  const meaning = (column: WordColumn, name: WordMeaning) =>
    listWords(draft, column, values).filter((word) => words[column][word] === name)
  return {
    encoding,
    delimiter,
    headerRow,
    columns,
    decimalSign,
    dateOrder,
    ...(columns.sign !== undefined && { signs: { out: meaning('sign', 'out'), in: meaning('sign', 'in') } }),
    ...(columns.state !== undefined && {
      states: { booked: meaning('state', 'booked'), other: meaning('state', 'other') },
    }),
    ...(headings.length > 0 && { headings }),
  }
}
