import * as z from 'zod/mini'
import { noticeKinds } from '#contract/notices.ts'
import { Mention } from './notes.ts'

/** One a kind, while there is something to notice: its list shows exactly `count` rows. */
export const Notice = z.object({ kind: z.enum(noticeKinds), count: z.int() })
export type Notice = z.infer<typeof Notice>

/** How much work there is; null where the admin may not view its list. */
const Queues = z.object({
  /** Pending verifications. */
  cases: z.nullable(z.int()),
  /** Lines of the bank that are work. */
  lines: z.nullable(z.int()),
})
export type Queues = z.infer<typeof Queues>

export const noticeSchemas = {
  list: {
    summary: 'What waits for an operator: the badge shows how many notices and mentions there are',
    reply: z.object({ notices: z.array(Notice), mentions: z.array(Mention), queues: Queues }),
  },
}
