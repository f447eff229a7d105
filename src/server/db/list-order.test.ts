import { expect, test } from 'vitest'
import { foldListCounts, makeMembers } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { type ListDesign, readPage } from './list.ts'

const server = await startServer()
const { pool } = server.services.database
const count = 5_030
const oldest = Date.parse('2026-01-01T12:00:00.000Z')
await server.sql(
  `INSERT INTO members (id, email, created_at) SELECT 'o-' || n, 'o' || n || '@example.com',
    to_timestamp($1::float8 / 1000) + n * interval '10 minutes' FROM generate_series(1, $2::int) n`,
  [oldest, count],
)
await foldListCounts(server)
await makeMembers(server, 2, (index) => ({ id: `new-${index}`, createdAt: `2027-01-0${index + 1}T00:00:00.000Z` }))

const list: ListDesign = {
  name: 'users',
  table: 'members',
  at: 'created_at',
  select: { id: 't.id' },
  order: { isAscending: true },
}
const filters = [{ rows: 'true', leaves: 'true' }]
const readIds = async (page: number, limit: number) => {
  const { rows, total } = await readPage<{ id: string }>(pool, list, { page, limit, filters })
  expect(total).toBe(count + 2)
  return rows.map(({ id }) => id)
}

test('a list that is oldest first begins with its oldest row', async () => {
  expect(await readIds(1, 3)).toEqual(['o-1', 'o-2', 'o-3'])
  expect(await readIds(3, 3)).toEqual(['o-7', 'o-8', 'o-9'])
})

test('a page far down an oldest-first list is found by its day', async () => {
  expect(await readIds(252, 20)).toEqual([...Array.from({ length: 10 }, (_, n) => `o-${5_021 + n}`), 'new-0', 'new-1'])
})
