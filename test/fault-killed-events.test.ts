import { expect, test } from 'vitest'
import { startFakeProvider } from './support/fakes/kyc-provider.ts'
import { makeMember } from './support/make.ts'
import { startProcess } from './support/server-process.ts'
import { startServer } from './support/server.ts'

test('events of a killed server go out once and in order after its restart (product 10.4)', async () => {
  const endpoint = await startFakeProvider()
  const second = await startFakeProvider()
  const server = await startServer()
  await server.sql(
    `INSERT INTO platform_endpoints (name, url, secret, created_by) VALUES ('Billing', $1, $2, 'tests')`,
    [second.url, second.secret],
  )
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
  await expect.poll(() => endpoint.calls.length).toBe(1)
  await killed.kill()
  expect((await ada('POST', `/api/users/${id}/unban`)).statusCode).toBe(200)
  // Its lease would be over in half a minute.
  await server.sql(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE state = 'sending'`)
  endpoint.answer = endpoint.accept
  await startProcess(server, environment)
  await expect.poll(() => endpoint.calls.length).toBe(3)
  const ids = (await server.sql(`SELECT event_id FROM platform_events ORDER BY id`)).map(
    (row) => row.event_id as string,
  )
  expect(endpoint.calls.map(({ headers }) => headers['webhook-id'])).toEqual([ids[0], ids[0], ids[1]])
  expect(endpoint.calls.every((call) => endpoint.isSigned(call))).toBe(true)
  // The second had taken its event; where its server died before it wrote that down, it came twice.
  const heard = () => [...new Set(second.calls.map(({ headers }) => headers['webhook-id']))]
  await expect.poll(heard).toEqual(ids)
  await expect
    .poll(() => server.sql(`SELECT DISTINCT state FROM messages WHERE channel = 'platform'`))
    .toEqual([{ state: 'delivered' }])
  await endpoint.close()
  await second.close()
})
