import { kycWaits } from '#contract/kyc-reviews.ts'
import type { KycWaits } from '#contract/schemas/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { isWaiting } from './lists.ts'

/** How many cases wait, by how long they have, and how many for as long as the target or longer (product 5.2). */
export async function readKycWaits({ database, config: { kycTargetHours: targetHours } }: Ctx): Promise<KycWaits> {
  const waits = [...kycWaits, { from: targetHours, to: null }]
  const counts = waits.map((wait, index) => `(count(*) FILTER (WHERE ${isWaiting(wait)}))::int AS c${index}`)
  const text = `SELECT ${counts.join(', ')} FROM kyc_verifications t WHERE t.status = 'pending'`
  const { rows } = await database.pool.query<Record<string, number>>({ name: 'kyc_waits', text })
  const count = (index: number) => rows[0]![`c${index}`]!
  return {
    bands: kycWaits.map((wait, index) => ({ ...wait, count: count(index) })),
    targetHours,
    late: count(kycWaits.length),
  }
}

/** Cases that were submitted before an instant and decided after it, or not yet. */
const trend = `
  WITH ends AS (SELECT * FROM unnest($1::timestamptz[]) WITH ORDINALITY AS ends(at, place)),
  decided AS MATERIALIZED (
    SELECT submitted_at, decided_at FROM kyc_verifications
    WHERE decided_at >= (SELECT min(at) FROM ends) AND status <> 'pending'
  ), open AS MATERIALIZED (SELECT submitted_at FROM kyc_verifications WHERE status = 'pending')
  SELECT ((SELECT count(*) FROM open o WHERE o.submitted_at < ends.at)
    + (SELECT count(*) FROM decided d WHERE d.submitted_at < ends.at AND d.decided_at >= ends.at))::int AS n
  FROM ends ORDER BY place`

/** How many cases waited at each of these instants. */
export async function readKycTrend({ database }: Ctx, ends: string[]): Promise<number[]> {
  const { rows } = await database.pool.query<{ n: number }>({ name: 'kyc_trend', text: trend, values: [ends] })
  return rows.map(({ n }) => n)
}
