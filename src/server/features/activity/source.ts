import type { ActivityKind, ActivityType } from '#contract/activity.ts'
import type { Permission } from '#contract/permissions.ts'
import { noteColumns, noteTables } from '#server/features/notes/service.ts'

/** What an entry may say, as SQL over the rows of its source. What is absent is null. */
export interface EntryFields {
  actor?: string
  order?: string
  amount?: string
  unit?: string
  subject?: string
  state?: string
  attemptNumber?: string
  fields?: string
  text?: string
  link?: string
  note?: string
}

/** Rows of one table that are entries of activity. */
export interface Source {
  kind: ActivityKind
  /** SQL of an `ActivityType`. */
  type: string
  /** Its rows, up to and including WHERE. `$1` is the member's or the order's id, `$5` the admin who reads. */
  rows: string
  at: string
  /** What tells the rows of this source apart. */
  id: string
  /** What else an admin needs than to read the activity. */
  permissions: readonly Permission[]
  select: EntryFields
}

export const quoteType = (type: ActivityType) => `'${type}'`
export const buildLink = (to: string, id: string, name: string) =>
  `json_build_object('to', '${to}', 'id', ${id}, 'name', ${name})`

/** Audit rows of these actions, on rows of `join`. */
export const auditOf = (
  target: { type: string; id: string },
  actions: readonly ActivityType[] | readonly string[],
  join = '',
) =>
  `FROM audit_log a ${join} WHERE a.target_type = '${target.type}' AND a.target_id = ${target.id}
    AND a.action IN (${actions.map((action) => `'${action}'`).join(', ')})`
export const details = 'audit_details(a.id, a.details)'
export const changedFields = `(SELECT array_agg(f ORDER BY f) FROM jsonb_object_keys(${details}->'after') f)`

export function messageFields(): EntryFields {
  return {
    subject: 'g.type',
    state: 'g.state',
    attemptNumber: 'g.attempt_number',
    text: '(SELECT name FROM platform_endpoints p WHERE p.id = g.endpoint_id)',
    link: buildLink('message', 'g.id::text', 'g.type'),
  }
}

/** A note `n` as the console shows it to the admin `$5`. */
export const noteObject = `json_build_object(${Object.entries({ ...noteColumns, isOwn: 'n.author_id = $5' })
  .map(([name, expression]) => `'${name}', ${expression}`)
  .join(', ')})`

/** Notes `n` that a condition names. */
export const noteSource = (ofNotes: string, permissions: readonly Permission[]): Source => ({
  kind: 'notes',
  type: quoteType('note'),
  rows: `${noteTables} WHERE ${ofNotes}`,
  at: 'n.created_at',
  id: 'n.id',
  permissions: ['notes.view', ...permissions],
  select: { actor: 'w.username', order: noteColumns.order, note: noteObject },
})
