import { banReasonRequired } from '#contract/users.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import type { ErrorCode } from '#server/lib/errors.ts'

const noJob = { not_found: 'Bulk job not found' }
const noPermission = 'This needs the permission “Ban and unban members” (members.ban), which you do not have'
const tooMany = 'At most 10,000 rows at once. Narrow the filters, and do the rest after it.'

/** The messages of the refusals of bulk jobs. */
export const bulkRefusals: Partial<Record<CallName, Partial<Record<ErrorCode, string>>>> = {
  'bulk.list': { invalid: 'state: must be one of prepared, running, stopped, done' },
  'bulk.prepare': {
    invalid: 'ids: either ids or a filter must be given',
    forbidden: noPermission,
    bulk_empty: 'Nothing matches any more',
    bulk_limit: tooMany,
  },
  'bulk.detail': noJob,
  'bulk.items': { ...noJob, forbidden: noPermission },
  'bulk.start': {
    ...noJob,
    invalid: banReasonRequired,
    forbidden: 'Only who has prepared a bulk job can start it',
    bulk_state: 'This bulk job is running already (on Jan 05, 2026 at 09:00 UTC)',
    bulk_limit:
      'These are 400 rows. The role Reviewer changes at most 1,000 rows in bulk in 24 hours, and you have begun 700.',
  },
  'bulk.stop': { ...noJob, bulk_state: 'This bulk job is done already (on Jan 05, 2026 at 09:00 UTC)' },
  'bulk.see': { ...noJob, forbidden: 'Only who has started a bulk job can say that it was seen' },
  'bulk.result': {
    ...noJob,
    export_limit:
      'This list has 400 rows. The role Viewer exports at most 10,000 rows with data of members in 24 hours, and you have exported 9,800. Narrow the filters.',
  },
}
