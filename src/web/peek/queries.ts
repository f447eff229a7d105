import { type QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { peekRoutes } from '#contract/peek.ts'
import type { MemberPeek, OrderPeek } from '#contract/schemas/peek.ts'
import { activityQuery, type Subject } from '#web/activity/queries.ts'
import { buildQuery, call } from '#web/api.ts'
import { type PeekTarget, writePeek } from './peek-target.ts'

/** Keeps the activity of a reply where the activity itself is read, so that it is not fetched a second time. */
function keepActivity<Reply extends MemberPeek | OrderPeek>(
  client: QueryClient,
  subject: Subject,
  reply: Reply,
): Reply {
  client.setQueryData(activityQuery(subject).queryKey, reply.activity)
  return reply
}

function withActivity<Reply extends MemberPeek | OrderPeek>(
  { queryKey, queryFn }: { queryKey: string[]; queryFn?: unknown },
  subject: Subject,
) {
  const fetch = queryFn as (context: QueryFunctionContext<string[]>) => Promise<Reply>
  return queryOptions({
    queryKey,
    queryFn: async (context) => keepActivity(context.client, subject, await fetch(context)),
  })
}

export const memberPeekQuery = (id: string) =>
  withActivity<MemberPeek>(buildQuery(peekRoutes.member, { params: { id } }), { type: 'user', id })
export const orderPeekQuery = (id: string) =>
  withActivity<OrderPeek>(buildQuery(peekRoutes.order, { params: { id } }), { type: 'order', id })

/** What was fetched ahead and not yet read as opened. */
const fetchedAhead = new Set<string>()

/** Whether the record was only fetched ahead. True once: the caller then reads it as opened. */
export const takeFetchedAhead = (target: PeekTarget): boolean => fetchedAhead.delete(writePeek(target))

const ahead = { query: { ahead: 'true' } } as const

/** Fetches what Peek would show, unless it is there. The server records it as sent ahead, not as opened (product 6.9). */
export function prefetchPeek(client: QueryClient, target: PeekTarget): void {
  const { kind, id } = target
  const keep = <Reply extends MemberPeek | OrderPeek>(type: Subject['type'], reply: Reply) => {
    fetchedAhead.add(writePeek(target))
    return keepActivity(client, { type, id }, reply)
  }
  if (kind === 'member')
    void client.prefetchQuery({
      ...memberPeekQuery(id),
      queryFn: async ({ signal }) => keep('user', await call(peekRoutes.member, { params: { id }, ...ahead, signal })),
    })
  if (kind === 'order')
    void client.prefetchQuery({
      ...orderPeekQuery(id),
      queryFn: async ({ signal }) => keep('order', await call(peekRoutes.order, { params: { id }, ...ahead, signal })),
    })
}
