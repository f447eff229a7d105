export { createAccount } from './statements/accounts.ts'
export { countImportsWith, countLinesWith, countStatementsWith } from './statements/attention.ts'
export { refundRows } from './shared/refunds-due.ts'
export { importStatementFile, type ImportOptions, type StatementFile } from './statements/import.ts'
export { buildLineList, paysOrder } from './statements/lines.ts'
export { buildAllocationList, type ExportedAllocation } from './allocations/allocation-list.ts'
export { buildImportList, buildStatementList } from './statements/statements.ts'
export { applyAllocations } from './allocations/apply.ts'
export { endProposalRefresh, refreshProposals } from './proposals/refresh-proposals.ts'
export { sumUnreconciled } from './statements/account-figures.ts'
export { registerStatementUpload } from './statements/upload.ts'
export {
  countWaitingLines,
  erasePayer,
  type LinesRead,
  readLinesAhead,
  readPayerTraces,
} from './statements/erase-payer.ts'
