import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'

const returnWords = /RETOURE|RETURN|STORNO|REVERS|DEVOLU|RUECKLASTSCHR|TERUGBOEK/i

/** The kind of a returned payment: of ISO 20022, of SWIFT, and of German banks for a transfer that comes back. */
const returnCodes = /(^|\/)RRTN$|^[NSF]RTI$|^159$/

/** Whether the bank says by a mark or a code that the line takes something back, or is something that came back. */
export const hasReturnCode = ({ isReversal, returnReason, code }: StatementLine) =>
  isReversal || returnReason !== null || (code !== null && returnCodes.test(code))

/** Whether the bank says so, by a code or in words. */
export const isReturnOfBank = (line: StatementLine) =>
  hasReturnCode(line) || line.info.some((text) => returnWords.test(text))

/** Whether bank or text say so. Of a refund that we sent the text is our own. */
export const isReturn = (line: StatementLine) =>
  isReturnOfBank(line) || line.remittance.some((text) => returnWords.test(text))
