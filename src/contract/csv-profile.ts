/** What a column of a bank's CSV file can hold. */
export const csvColumns = [
  'bookedOn',
  'valueOn',
  'amount',
  'credit',
  'debit',
  'sign',
  'currency',
  'name',
  'iban',
  'remittance',
  'moreRemittance',
  'endToEnd',
  'bankReference',
  'balance',
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
 * What only a person can tell of a bank's CSV file: 1.500 may be a thousand more, 03.04. may be in March. `columns`: some may be an
 * account or a text.
 */
export const csvQuestions = ['bookedOn', 'amount', 'decimalSign', 'dateOrder', 'columns', 'currency'] as const
export type CsvQuestion = (typeof csvQuestions)[number]
