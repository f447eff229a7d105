export { createBackup } from './create.ts'
export { type DatabaseOwner, restoreBackup } from './restore.ts'
export { backUpWhenDue, readBackupHealth } from './schedule.ts'
export { verifyBackup, type Verified } from './verify.ts'
