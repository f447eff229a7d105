/** What a column of a CSV file can hold. `fee`: one that is not in the amount. `state`: whether a row is booked. */
export const csvColumns = [
  'bookedOn',
  'valueOn',
  'amount',
  'credit',
  'debit',
  'sign',
  'fee',
  'currency',
  'name',
  'iban',
  'remittance',
  'moreRemittance',
  'endToEnd',
  'bankReference',
  'balance',
  'state',
  'ownAccount',
] as const
export type CsvColumn = (typeof csvColumns)[number]

/** Encodings that banks write, by the names of the WHATWG: windows-1252 holds Latin-1, euc-kr CP949, gb18030 GBK. */
export const csvEncodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'utf-16le',
  'utf-16be',
  'euc-kr',
  'shift_jis',
  'gb18030',
  'big5',
] as const

export const csvDelimiters = [';', ',', '\t', '|'] as const
export const csvDecimalSigns = ['.', ','] as const
export const csvDateOrders = ['ymd', 'dmy', 'mdy'] as const

/**
 * What only a person can tell of a bank's CSV file: 1.500 may be a thousand more, 03.04. may be in March. `signs`: which words mean
 * money out, or what amounts without any sign are. `states`: which words mean booked. `columns`: some may be an account, a text or a fee.
 */
export const csvQuestions = [
  'bookedOn',
  'amount',
  'decimalSign',
  'dateOrder',
  'signs',
  'states',
  'columns',
  'currency',
] as const
export type CsvQuestion = (typeof csvQuestions)[number]
