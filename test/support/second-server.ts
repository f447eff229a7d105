import { buildApp } from '#server/app.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import type { TestServer } from './server.ts'

/** Another console on the same database, as a restart or a second machine would be. Close it before the test ends. */
export async function startSecondServer({ services }: TestServer) {
  const database = connectPool(readConnectionOptions(services.database.pool), () => {}, {
    direct: services.database.session,
  })
  const app = await buildApp({ ...services, database })
  return {
    app,
    async close() {
      await app.close()
      await database.close()
    },
  }
}
