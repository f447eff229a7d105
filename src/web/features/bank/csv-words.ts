import type { CsvColumn, CsvQuestion } from '#contract/csv-profile.ts'
import type { WordColumn, WordMeaning } from './csv-draft.ts'

export const csvColumnLabels: Record<CsvColumn, string> = {
  bookedOn: 'Day of booking',
  valueOn: 'Value day',
  amount: 'Amount',
  credit: 'Money in',
  debit: 'Money out',
  sign: 'Sign of the amount',
  fee: 'Fee, not in the amount',
  currency: 'Currency',
  name: 'Payer or payee',
  iban: 'Account of the payer or payee',
  remittance: 'Text',
  moreRemittance: 'More text',
  endToEnd: "Payer's reference",
  bankReference: "Bank's reference",
  balance: 'Balance',
  state: 'State of the row',
  ownAccount: 'Our own account',
}

export const describeQuestion: Record<CsvQuestion, (currency: string) => string> = {
  bookedOn: () => 'Which column has the day of booking?',
  amount: () => 'Which column has the amount?',
  decimalSign: () => 'Which sign stands before the decimals?',
  dateOrder: () => 'In which order do day and month stand?',
  signs: () =>
    'Which amounts are money out? None has a minus: choose the column with the sign of the amount, or Money in or Money out for the amounts.',
  states: () => 'Which rows are booked? Say what the words of the state mean.',
  columns: () => 'What is in the columns that say Choose? They may have an account, a text or a fee.',
  currency: (currency) => `No column has the currency. Without one, all amounts are ${currency}.`,
}

export const wordQuestions: Record<WordColumn, string> = {
  sign: 'Which of these is money out?',
  state: 'Which of these rows are booked?',
}
export const wordMeaningLabels: Record<WordMeaning, string> = {
  in: 'Money in',
  out: 'Money out',
  booked: 'Booked',
  other: 'Not booked',
}

export const delimiterLabels: Record<string, string> = { ';': 'Semicolon ;', ',': 'Comma ,', '\t': 'Tab', '|': 'Bar |' }
export const decimalSignLabels: Record<string, string> = { '.': 'Point: 1,234.50', ',': 'Comma: 1.234,50' }
export const dateOrderLabels: Record<string, string> = {
  ymd: 'Year, month, day',
  dmy: 'Day, month, year',
  mdy: 'Month, day, year',
}

/** What an encoding is used for, where its name does not say it. */
export const encodingLabels: Record<string, string> = {
  'windows-1250': 'windows-1250, Central Europe',
  'windows-1251': 'windows-1251, Cyrillic',
  'windows-1252': 'windows-1252, Western Europe',
  'windows-1253': 'windows-1253, Greek',
  'windows-1254': 'windows-1254, Turkish',
  'euc-kr': 'euc-kr (cp949), Korean',
  shift_jis: 'shift_jis, Japanese',
  gb18030: 'gb18030 (gbk), Chinese',
  big5: 'big5, Chinese',
}
