import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Cluster } from '#test/global-setup.ts'

/** The PostgreSQL of this worker. Workers share none, so no test waits for what another worker's transaction holds. */
export function findCluster(): Cluster {
  const clusters = inject('clusters')
  return clusters[(Number(process.env.VITEST_POOL_ID) - 1) % clusters.length]!
}

/** A connection to it, for a proxy. */
export function dialCluster(): Socket {
  const { host, port } = findCluster().postgres
  return host.startsWith('/') ? connect({ path: join(host, `.s.PGSQL.${port}`) }) : connect({ host, port })
}

/** PgBouncer before it in transaction mode. The tests of `verify:pooler` alone have one. */
export function findPgBouncer(): { host: string; port: number } {
  const poolers = inject('pgbouncers')
  return poolers[(Number(process.env.VITEST_POOL_ID) - 1) % poolers.length]!
}
