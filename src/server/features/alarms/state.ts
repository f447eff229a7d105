import { alarmPatienceMinutes, type AlarmOutputName } from '#contract/alarms.ts'
import type { AlarmState } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { listOutputs } from './outputs.ts'
import { listSeverities } from './records.ts'

const stateSql = `
  SELECT o.name AS output, ${instant('o.last_sent_at')} AS "lastSentAt", ${instant('o.failing_since')} AS "failingSince",
    ${instant('o.next_try_at')} AS "nextTryAt", o.problem,
    ((SELECT count(*) FROM security_events AS e WHERE (e.seq > o.event_seq OR e.seq IS NULL) AND e.severity = ANY($2))
      + coalesce((SELECT max(seq) FROM audit_chain), 0) - o.audit_seq)::int AS waiting
  FROM alarm_outputs AS o WHERE o.name = ANY($1)`

/** What each output that is set has sent, what waits for it, and since when it fails (product 5.12). */
export async function readAlarms({ config, database: { pool } }: Ctx): Promise<AlarmState[]> {
  const names = listOutputs(config)
  if (names.length === 0) return []
  const values = [names, listSeverities(config.alarms.minSeverity)]
  const { rows } = await pool.query<AlarmState>({ name: 'alarm_state', text: stateSql, values })
  return names.map((output) => rows.find((row) => row.output === output) ?? newState(output))
}

/** An output that no server has looked at yet. */
const newState = (output: AlarmOutputName): AlarmState => ({
  output,
  waiting: 0,
  lastSentAt: null,
  failingSince: null,
  nextTryAt: null,
  problem: null,
})

/** The number of outputs that fail for longer than operators are spared (product 3.6). */
export async function countFailingOutputs({ config, database: { pool } }: Ctx): Promise<number> {
  const names = listOutputs(config)
  if (names.length === 0) return 0
  const { rows } = await pool.query<{ count: number }>({
    name: 'alarms_failing',
    text: `SELECT count(*)::int AS count FROM alarm_outputs
      WHERE name = ANY($1) AND failing_since < now() - interval '${alarmPatienceMinutes} minutes'`,
    values: [names],
  })
  return rows[0]!.count
}
