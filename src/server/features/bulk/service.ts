export { deleteOldJobs, eraseBulkReasons } from './erase.ts'
export { countUnseenJobs } from './list.ts'
export { deleteUnstartedJobs } from './prepare.ts'
export { runBulkJobs } from './run.ts'
