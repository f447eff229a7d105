import { beforeAll, expect, test } from 'vitest'
import { foldListCounts, makeMember, makeOrder, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const instants = {
  'late on March 1': '2025-03-01T23:30:00Z',
  'noon of March 2': '2025-03-02T12:00:00Z',
  'late on March 2': '2025-03-02T23:30:00Z',
}

beforeAll(async () => {
  const members = []
  for (const createdAt of Object.values(instants)) members.push(await makeMember(server, { createdAt }))
  for (const createdAt of Object.values(instants)) await makeOrder(server, members[0]!.id, { createdAt })
  for (const createdAt of Object.values(instants)) await makeTransaction(server, members[0]!.id, { createdAt })
  for (const createdAt of Object.values(instants))
    await server.sql(
      `INSERT INTO security_events (severity, event_type, description, created_at) VALUES ('low', 'sign_in_failed', 'x', $1)`,
      [createdAt],
    )
})

const lists = {
  '/api/users': 'users',
  '/api/orders': 'orders',
  '/api/transactions': 'transactions',
  '/api/security/events': 'events',
}
for (const [path, items] of Object.entries(lists)) {
  const read = async (query: string) => {
    const reply = await server.as('ada')('GET', `${path}?${query}`)
    expect(reply.statusCode, reply.body).toBe(200)
    const { total, [items]: rows } = reply.json<Record<string, { createdAt: string }[]> & { total: number }>()
    const names = rows!.map(({ createdAt }) =>
      Object.entries(instants)
        .find(([, at]) => Date.parse(at) === Date.parse(createdAt))
        ?.at(0),
    )
    return { total, names: names.filter(Boolean) }
  }

  test.each([
    ['UTC', ['late on March 2', 'noon of March 2']],
    ['Asia/Tokyo', ['noon of March 2', 'late on March 1']],
    ['Pacific/Honolulu', ['late on March 2', 'noon of March 2']],
  ])(`${path} has the days of %s, with an exact total (product 4.3)`, async (zone, names) => {
    expect(await read(`from=2025-03-02&to=2025-03-02&timeZone=${encodeURIComponent(zone)}`)).toEqual({
      total: 2,
      names,
    })
  })

  test.each([
    ['UTC', 3],
    ['Asia/Tokyo', 2],
    ['Pacific/Honolulu', 3],
  ])(`${path} counts whole days and the parts of days beside them in %s`, async (zone, total) => {
    const inZone = (range: string) => read(`${range}&timeZone=${encodeURIComponent(zone)}`)
    expect(await inZone('from=2025-03-01&to=2025-03-02')).toMatchObject({ total })
    await foldListCounts(server)
    expect(await inZone('from=2025-03-01&to=2025-03-02')).toMatchObject({ total })
    expect(await inZone('from=2025-01-01&to=2025-12-31')).toMatchObject({ total: 3 })
  })

  test(`${path} takes ranges with an open end`, async () => {
    expect((await read('to=2025-03-01')).names).toEqual(['late on March 1'])
    expect((await read('from=2025-03-02&sort=oldest')).names).toEqual(['noon of March 2', 'late on March 2'])
    expect(await read('from=2025-03-03&to=2025-03-01')).toEqual({ total: 0, names: [] })
  })

  test(`${path} refuses what is not a day or no zone (product 4.3)`, async () => {
    for (const [field, bad] of [
      ['from', '2025-02-30'],
      ['to', 'today'],
      ['timeZone', 'Mars/Olympus'],
    ]) {
      const reply = await server.as('ada')('GET', `${path}?${field}=${bad}`)
      expect(reply.statusCode).toBe(400)
      expect(reply.json<{ details: unknown[] }>().details).toContainEqual(expect.objectContaining({ field }))
    }
  })
}
