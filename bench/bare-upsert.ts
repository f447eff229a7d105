import Fastify from 'fastify'
import pg from 'pg'
import type { AddressInfo } from 'node:net'
import { receiveGiven } from './given.ts'

/** The baseline of the platform API: one upsert into the same table, without key, checks, audit or log. */
const { connection } = await receiveGiven<{ connection: pg.PoolConfig }>()
const pool = new pg.Pool({ max: 10, ...connection })
pool.on('error', () => {})
const app = Fastify()

interface Upsert {
  Params: { id: string }
  Body: { email: string; legalFirstName: string; legalLastName: string }
}
app.put<Upsert>('/members/:id', async ({ params, body }) => {
  await pool.query({
    name: 'upsert',
    text: `INSERT INTO members (id, email, legal_first_name, legal_last_name) VALUES ($1, $2, $3, $4)
      ON CONFLICT (id) DO UPDATE SET email = excluded.email, legal_first_name = excluded.legal_first_name,
        legal_last_name = excluded.legal_last_name, version = members.version + 1`,
    values: [params.id, body.email, body.legalFirstName, body.legalLastName],
  })
  return { outcome: 'saved' }
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port, cookie: '' })
process.on('disconnect', () => process.exit())
