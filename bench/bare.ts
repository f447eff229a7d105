import Fastify from 'fastify'
import pg from 'pg'
import type { AddressInfo } from 'node:net'
import { receiveGiven } from './given.ts'

/** The baseline of the console: the same SQL in a minimal handler, without session, checks, headers or log. */
interface Bare {
  connection: pg.PoolConfig
  queries: Record<string, pg.QueryConfig | pg.QueryConfig[]>
}

const { connection, queries } = await receiveGiven<Bare>()
const pool = new pg.Pool({ max: 10, ...connection })
pool.on('error', () => {})
const app = Fastify()
for (const [name, asked] of Object.entries(queries)) {
  const all = Array.isArray(asked) ? asked : [asked]
  app.get(`/${name}`, async () => {
    const [first, ...more] = await Promise.all(all.map((query) => pool.query<{ total: string }>({ ...query })))
    const rows = first?.rows ?? []
    return { rows, more: more.map((each) => each.rows), total: Number(rows[0]?.total), page: 1, limit: 50 }
  })
}
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port, cookie: '' })
process.on('disconnect', () => process.exit())
