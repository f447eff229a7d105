import { vi } from 'vitest'
import type { TestServer } from './server.ts'

/** Waits until every audit row can be sealed: transactions of other tests' databases on the same server count too. */
export const settle = (server: Pick<TestServer, 'sql'>) =>
  vi.waitUntil(
    async () => {
      const [row] = await server.sql<{ isSettled: boolean }>(`SELECT coalesce(max(xid::text::bigint), 0) <
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "isSettled" FROM audit_log
        WHERE xid < pg_snapshot_xmax(pg_current_snapshot())`)
      return row!.isSettled
    },
    { interval: 10, timeout: 60_000 },
  )
