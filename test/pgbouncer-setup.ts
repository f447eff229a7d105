import type { TestProject } from 'vitest/node'
import { startPgBouncer } from './support/pgbouncer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** One before each of `clusters`, see `findPgBouncer`. */
    pgbouncers: { host: string; port: number }[]
  }
}

/** PgBouncer before the PostgreSQL of each worker. Throws where it is not installed. */
export default async function setup(project: TestProject) {
  const { clusters } = project.getProvidedContext()
  const started = await Promise.all(
    clusters.map(({ postgres, serverAccount }) =>
      startPgBouncer({ ...postgres, ...serverAccount }, { database: postgres.database }),
    ),
  )
  project.provide(
    'pgbouncers',
    started.map(({ host, port }) => ({ host, port })),
  )
  return async () => {
    await Promise.all(started.map(({ close }) => close()))
  }
}
