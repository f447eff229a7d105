import type { BulkItem, BulkJob } from '#contract/schemas/bulk.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

const counts = { waiting: 0, done: 0, requested: 0, skipped: 0, failed: 0 }
const prepared: BulkJob = {
  id: '4',
  action: 'ban_users',
  state: 'prepared',
  total: 2,
  counts: { ...counts, waiting: 2 },
  reason: null,
  createdBy: 'ada',
  isOwn: true,
  createdAt: at,
  startedAt: null,
  endedAt: null,
  stopCause: null,
  stoppedBy: null,
  isSeen: true,
}
const running: BulkJob = { ...prepared, state: 'running', reason: 'One person, many accounts', startedAt: at }
const done: BulkJob = {
  ...running,
  state: 'done',
  counts: { ...counts, done: 1, skipped: 1 },
  endedAt: later,
  isSeen: false,
}
const stopped: BulkJob = { ...running, state: 'stopped', endedAt: later, stopCause: 'operator', stoppedBy: 'ada' }
const subject = {
  entityId: 'm-1',
  label: null,
  user: { id: 'm-1', email: 'ann@example.com', legalFirstName: 'Ann', legalLastName: 'Lee' },
}
const item: BulkItem = {
  id: '31',
  ...subject,
  state: 'skipped',
  code: 'already_banned',
  message: 'This user is already banned (set by vera on Jan 05, 2026 at 09:00 UTC)',
  approvalId: null,
  doneAt: later,
}
const params = { id: '4' }

export const bulk: ExamplesOf<'bulk'> = {
  list: { query: { view: 'own' }, reply: { jobs: [done], total: 1, totalExact: true, page: 1, limit: 50 } },
  prepare: {
    body: { action: 'ban_users', filter: { kycBanned: 'false', search: 'lee' } },
    reply: { job: prepared, sample: [subject], ready: 2, incomplete: null, mayNeedApproval: false },
  },
  detail: { params, reply: { job: done } },
  items: {
    params,
    query: { state: 'skipped' },
    reply: { items: [item], total: 1, totalExact: true, page: 1, limit: 50 },
  },
  start: {
    params,
    body: { reason: 'One person, many accounts' },
    reply: { message: 'The bulk job has started', job: running },
  },
  stop: { params, reply: { message: 'The bulk job was stopped', job: stopped } },
  see: { params },
  result: { params },
}
