import type { Viewer } from '#contract/schemas/users.ts'
import type { Ctx } from '#server/core/context.ts'
import { toInstant } from '#server/db/columns.ts'
import { notFound } from '#server/lib/errors.ts'

const maxViewers = 50

const viewersStatement = {
  name: 'member_viewers',
  text: `SELECT m.id AS "memberId", v.* FROM members m LEFT JOIN LATERAL (
      SELECT a.username, count(*)::int AS views, min(d.at)::text AS "firstAt", max(d.at)::text AS "lastAt"
      FROM data_access d JOIN admins a ON a.id = d.admin_id
      WHERE d.target = m.id AND d.rows > 0 GROUP BY a.id ORDER BY max(d.at) DESC, a.id LIMIT ${maxViewers}) v ON true
    WHERE m.id = $1 ORDER BY v."lastAt" DESC, v.username`,
}

type Row = { memberId: string } & (Viewer | { [K in keyof Viewer]: null })

/** Which operators opened a member, the latest first. Throws not_found. */
export async function listViewers({ database }: Ctx, id: string): Promise<Viewer[]> {
  const { rows } = await database.pool.query<Row>({ ...viewersStatement, values: [id] })
  if (rows.length === 0) throw notFound('User')
  return rows.flatMap(({ username, views, firstAt, lastAt }) =>
    username === null ? [] : [{ username, views, firstAt: toInstant(firstAt), lastAt: toInstant(lastAt) }],
  )
}
