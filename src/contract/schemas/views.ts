import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { maxViewName, maxViewSearch, viewListNames } from '#contract/views.ts'
import { dayRangeQuery, Decimal, filled, RowId, text, Timestamp } from './common.ts'

/** A list's filters and order under a name. */
export const View = z.object({
  id: z.string(),
  list: z.enum(viewListNames),
  name: z.string(),
  /** The filters and the order as the list's address has them. */
  search: z.string(),
  isShared: z.boolean(),
  isOwn: z.boolean(),
  owner: z.string(),
  /** How many rows the list has with these filters now; null where a filter is no longer one. */
  total: z.nullable(z.int()),
  /** False: `total` is where counting ended, and there are more. */
  totalExact: z.boolean(),
  createdAt: Timestamp,
  version: z.int(),
})
export type View = z.infer<typeof View>

const name = filled(maxViewName)
export const NewView = z.strictObject({
  list: z.enum(viewListNames, { error: `must be one of ${viewListNames.join(', ')}` }),
  name,
  search: text(maxViewSearch),
})
export type NewView = z.infer<typeof NewView>
export const ViewChange = z.strictObject({ name: z.optional(name), search: z.optional(text(maxViewSearch)) })
export type ViewChange = z.infer<typeof ViewChange>

/** A list as an address has it: its filters, its days and what is searched for. */
const ShownList = z.object({
  list: z.enum(viewListNames, { error: `must be one of ${viewListNames.join(', ')}` }),
  search: z.prefault(text(4 * maxViewSearch), ''),
  timeZone: dayRangeQuery.timeZone,
})
export type ShownList = z.infer<typeof ShownList>

/** Numbers of rows. `totalExact` is false where counting ended before the last. */
const Count = z.object({ total: z.int(), totalExact: z.boolean() })

export const ListCounts = z.object({
  /** By the parameter of a filter and by its value: the rows with this value under all other filters. */
  counts: z.record(z.string(), z.record(z.string(), Count)),
})
export type ListCounts = z.infer<typeof ListCounts>

/** `currency` is null where amounts have none. */
export const ListSums = z.object({ sums: z.array(z.object({ currency: z.nullable(z.string()), amount: Decimal })) })
export type ListSums = z.infer<typeof ListSums>

const Id = z.object({ id: RowId })
const PutReply = z.object({ message: z.string(), id: z.string(), version: z.int() })

export const viewSchemas = {
  list: {
    summary: 'Saved views, own and shared, each with its exact count',
    query: z.object({ timeZone: dayRangeQuery.timeZone }),
    reply: z.object({ views: z.array(View) }),
  },
  counts: {
    summary: 'What each value of the filters of a list would show under its other filters',
    query: ShownList,
    reply: ListCounts,
    refuses: ['forbidden'],
  },
  sums: {
    summary: 'What the rows of a list are together, by currency',
    query: ShownList,
    reply: ListSums,
    refuses: ['forbidden'],
  },
  create: {
    summary: "Save a list's filters and order under a name",
    body: NewView,
    reply: PutReply,
    refuses: ['view_taken', 'views_full'],
  },
  change: {
    summary: 'Rename a saved view, or replace what it shows',
    params: Id,
    body: ViewChange,
    reply: PutReply,
    refuses: ['view_taken'],
  },
  share: {
    summary: 'Share a saved view with everybody who may view its list, or end that',
    params: Id,
    body: z.strictObject({ isShared: z.boolean() }),
    reply: PutReply,
  },
  remove: { summary: 'Delete a saved view', params: Id, reply: z.object({ message: z.string() }) },
} satisfies Record<string, RouteSchemas>
