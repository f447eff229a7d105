import { expect, test } from 'vitest'
import { startFakeProvider } from './support/fakes/kyc-provider.ts'
import { makeMember } from './support/make.ts'
import { startProcess } from './support/server-process.ts'
import { startServer } from './support/server.ts'

test(
  'events of a server killed amid a delivery go out after its restart, under the same id and in order (product 10.4)',
  { timeout: 60_000 },
  async () => {
    const endpoint = await startFakeProvider()
    const server = await startServer()
    const environment = {
      PLATFORM_WEBHOOK_URL: endpoint.url,
      PLATFORM_WEBHOOK_SECRET: endpoint.secret,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    }
    const { id } = await makeMember(server)
    const ada = server.as('ada')
    const killed = await startProcess(server, environment)
    endpoint.answer = () => {}
    expect((await ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })).statusCode).toBe(200)
    await expect.poll(() => endpoint.calls.length, { timeout: 15_000 }).toBe(1)
    await killed.kill()
    expect((await ada('POST', `/api/users/${id}/unban`)).statusCode).toBe(200)
    // Its lease would be over in half a minute.
    await server.sql(`UPDATE messages SET lease_until = now() WHERE state = 'sending'`)
    endpoint.answer = endpoint.accept
    await startProcess(server, environment)
    await expect.poll(() => endpoint.calls.length, { timeout: 15_000 }).toBe(3)
    const ids = (await server.sql(`SELECT message_id FROM messages WHERE channel = 'platform' ORDER BY id`)).map(
      (row) => row.message_id as string,
    )
    expect(endpoint.calls.map(({ headers }) => headers['webhook-id'])).toEqual([ids[0], ids[0], ids[1]])
    expect(endpoint.calls.every((call) => endpoint.isSigned(call))).toBe(true)
    await expect
      .poll(() => server.sql(`SELECT state FROM messages WHERE channel = 'platform' ORDER BY id`), { timeout: 15_000 })
      .toEqual([{ state: 'delivered' }, { state: 'delivered' }])
    await endpoint.close()
  },
)
