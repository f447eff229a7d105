import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { refreshPayerNames } from './payer-names.ts'

const server = await startServer()
const { database } = server.services
const { signal } = new AbortController()

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: PlanNode[]
}

/** The most rows of one table that a part of the statement reads. */
const countRead = (node: PlanNode): number =>
  Math.max(
    node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0,
    ...(node.Plans ?? []).map(countRead),
  )

test('a statement reads at most 20,000 members, no matter how few names are outdated', async () => {
  await server.sql(`INSERT INTO members (id, email, legal_first_name, legal_last_name)
    SELECT 'm-' || lpad(n::text, 6, '0'), 'm' || n || '@example.com', 'Ana', 'Lima ' || n FROM generate_series(1, 45000) n`)
  for (const id of ['m-000003', 'm-020001', 'm-045000']) await makeOrder(server, id)
  await server.sql('ANALYZE members, orders, payer_names')
  const read: number[] = []
  const db = Object.create(database.db, {
    execute: {
      value: async (statement: SQL) => {
        const { rows } = await database.db.execute<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
        )
        read.push(countRead(rows[0]!['QUERY PLAN'][0]!.Plan))
        return database.db.execute(statement)
      },
    },
  }) as typeof database.db
  const refresh = () => refreshPayerNames({ ...database, db }, null, signal)
  await refresh()
  expect(await server.sql('SELECT member_id FROM payer_names ORDER BY 1')).toEqual(
    ['m-000003', 'm-020001', 'm-045000'].map((id) => ({ member_id: id })),
  )
  expect(read.length).toBe(7)
  await server.sql(`UPDATE members SET legal_last_name = 'Silva' WHERE id = 'm-045000'`)
  await refresh()
  expect(await server.sql(`SELECT name FROM payer_names WHERE member_id = 'm-045000'`)).toEqual([{ name: 'Ana Silva' }])
  expect(Math.max(...read)).toBeLessThanOrEqual(20_000)
})
