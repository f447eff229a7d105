import type { StatementLine } from '#server/features/bank/readers/statement.ts'

const returnWords = /RETOURE|RETURN|STORNO|REVERS|DEVOLU|RUECKLASTSCHR|TERUGBOEK/i

/** Whether the bank says that the line takes something back, or is something that came back. */
export const isReturnOfBank = ({ isReversal, returnReason, info }: StatementLine) =>
  isReversal || returnReason !== null || info.some((text) => returnWords.test(text))

/** Whether bank or text say so. Of a refund that we sent the text is our own. */
export const isReturn = (line: StatementLine) =>
  isReturnOfBank(line) || line.remittance.some((text) => returnWords.test(text))
