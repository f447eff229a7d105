import * as z from 'zod/mini'
import { noticeKinds } from '#contract/notices.ts'

/** One a kind, while there is something to notice: its list shows exactly `count` rows. */
export const Notice = z.object({ kind: z.enum(noticeKinds), count: z.int() })
export type Notice = z.infer<typeof Notice>

export const noticeSchemas = {
  list: {
    summary: 'What waits for an operator: the badge shows how many notices there are',
    reply: z.object({ notices: z.array(Notice) }),
  },
}
