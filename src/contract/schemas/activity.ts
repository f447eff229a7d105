import * as z from 'zod/mini'
import { maxActivityPage, activityKindNames, activityPage, activityTypes } from '#contract/activity.ts'
import { Note } from './notes.ts'
import { filter, PlatformId, Timestamp, wholeNumber } from './common.ts'

/** Where the entry is shown whole. */
const ActivityLink = z.object({
  to: z.enum(['order', 'bank_line', 'message', 'chain_transaction']),
  id: z.string(),
  /** What the link reads: an order number, the beginning of a hash. */
  name: z.string(),
})

/** One thing that happened. What does not apply to its type is null. */
export const ActivityEntry = z.object({
  /** Unique in this list, and with `at` its place there. */
  id: z.string(),
  kind: z.enum(activityKindNames),
  type: z.enum(activityTypes),
  at: Timestamp,
  /** Who did it, as the audit log names them. Null: the member, or nobody in particular. */
  actor: z.nullable(z.string()),
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string() })),
  /** Decimal string, in `unit`: a currency or a token. */
  amount: z.nullable(z.string()),
  unit: z.nullable(z.string()),
  /**
   * A code: the step, the kind of a document or transaction, the type of a message, the purpose of a payment. Of a
   * view how many there were.
   */
  subject: z.nullable(z.string()),
  /** A code: the state of a transaction or a message. */
  state: z.nullable(z.string()),
  attemptNumber: z.nullable(z.int()),
  /** The fields of a change, by their names in the calls. */
  fields: z.nullable(z.array(z.string())),
  /** What a person wrote, or what the thing is called. */
  text: z.nullable(z.string()),
  link: z.nullable(ActivityLink),
  /** Of a note the note itself. */
  note: z.nullable(Note),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

export const ActivityQuery = z.object({
  kind: filter(activityKindNames),
  /** `next` of the page before: only what is older. */
  before: z.optional(
    z.string().check(
      z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_\d\d\.[\w.:-]{1,100}$/, 'must be the next of the page before'),
      z.refine((value) => !Number.isNaN(Date.parse(value.slice(0, 24))), 'must be the next of the page before'),
    ),
  ),
  limit: z.prefault(wholeNumber(1, maxActivityPage, activityPage), undefined),
})
export type ActivityQuery = z.infer<typeof ActivityQuery>

export const Activity = z.object({
  entries: z.array(ActivityEntry),
  /** How many there are of this kind, on all pages. */
  total: z.int(),
  /** The place after the last entry. Null: there is nothing older. */
  next: z.nullable(z.string()),
  memberId: z.string(),
  /** Notes that are pinned, whatever the kind and page, the newest pin first. At most 20. */
  pinned: z.array(Note),
})
export type Activity = z.infer<typeof Activity>

export const activitySchemas = {
  member: {
    summary: 'What happened to a member and their orders, newest first',
    params: z.object({ id: PlatformId }),
    query: ActivityQuery,
    reply: Activity,
  },
  order: {
    summary: 'What happened to an order, newest first',
    params: z.object({ id: z.string() }),
    query: ActivityQuery,
    reply: Activity,
  },
}
