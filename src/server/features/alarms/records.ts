import { severities, type Severity } from '#contract/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'

/** Security events and audit rows that one message holds at most. */
export const batchSize = 100
const longestText = 1000

/** What leaves the console of a security event or an audit row: ids of members, and nothing else of them (067). */
export interface AlarmRecord {
  /** The same whenever the record is sent again. An event that was counted further is a record of its own. */
  id: string
  kind: 'security_event' | 'audit'
  /** The host of the console. */
  console: string
  /** Its number among the records of its kind: of an audit row, its place in the chain. */
  seq: string
  time: string
  severity: Severity | 'info'
  action: string
  outcome: 'success' | 'failure' | null
  text: string | null
  actor: { kind: string; id: string | null; name: string } | null
  target: { type: string; id: string } | null
  address: string | null
  requestId: string | null
}

/** How far an output is: the last number of each kind. */
export interface AlarmPosition {
  eventSeq: string
  auditSeq: string
}

export interface AlarmBatch {
  records: AlarmRecord[]
  /** Where the output is once it has these, and what it leaves out. */
  upTo: AlarmPosition
  isFull: boolean
  /** It is one record without what others chose. */
  isReduced?: true
  /** How the other side refused the whole record before. */
  refusal?: SendFailure
}

/** Why a try failed, and the pause that the other side asks for, in seconds. */
export interface SendFailure {
  problem: string
  retryAfter?: number | undefined
  /** The HTTP status, if the other side answered. */
  status?: number | null
}

type FoundRecord = Omit<AlarmRecord, 'console'>

const eventsSql = `
  SELECT 'event-' || e.id || '.' || e.seq AS id, 'security_event' AS kind, e.seq::text,
    ${instant('e.created_at')} AS time, e.severity, e.event_type AS action, NULL AS outcome, e.description AS text,
    NULL AS actor, NULL AS target, e.ip_address AS address, NULL AS "requestId"
  FROM security_events AS e WHERE e.seq > $1 ORDER BY e.seq LIMIT $2`

// `details` may hold names and addresses of members, so they stay here.
const auditSql = `
  SELECT 'audit-' || a.id AS id, 'audit' AS kind, c.seq::text, ${instant('a.created_at')} AS time, 'info' AS severity, a.action,
    CASE WHEN a.action LIKE '%\\_failed' OR (a.action = 'platform_call' AND a.details ? 'status')
      THEN 'failure' ELSE 'success' END AS outcome,
    NULL AS text, json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) AS actor,
    CASE WHEN a.target_id IS NOT NULL THEN json_build_object('type', a.target_type, 'id', a.target_id) END AS target,
    a.ip_address AS address, a.request_id AS "requestId"
  FROM audit_chain AS c JOIN audit_log AS a ON a.id = c.audit_id WHERE c.seq > $1 ORDER BY c.seq LIMIT $2`

/** Events of this severity and above. */
export const listSeverities = (least: Severity): readonly Severity[] =>
  severities.slice(0, severities.indexOf(least) + 1)

/**
 * The next records of an output, `most` of them, oldest first of each kind, events before audit rows. Null if there is
 * nothing new.
 */
export async function readBatch(
  { database: { pool }, config }: Pick<Ctx, 'database' | 'config'>,
  { eventSeq, auditSeq }: AlarmPosition,
  most = batchSize,
): Promise<AlarmBatch | null> {
  const read = async (name: string, text: string, after: string, limit: number) =>
    (await pool.query<FoundRecord>({ name, text, values: [after, limit] })).rows
  const events = await read('alarm_events', eventsSql, eventSeq, most)
  const rows = events.length < most ? await read('alarm_rows', auditSql, auditSeq, most - events.length) : []
  if (events.length + rows.length === 0) return null
  const wanted: readonly string[] = listSeverities(config.alarms.minSeverity)
  const { host } = config.publicUrl
  return {
    records: [...events.filter(({ severity }) => wanted.includes(severity)), ...rows].map((found) =>
      cleanRecord({ ...found, console: host }),
    ),
    upTo: { eventSeq: events.at(-1)?.seq ?? eventSeq, auditSeq: rows.at(-1)?.seq ?? auditSeq },
    isFull: events.length + rows.length === most,
  }
}

/** What is left of a record for a receiver that refuses it: nothing that anybody outside the console chose. */
export const reduceRecord = (record: AlarmRecord): AlarmRecord => ({
  ...record,
  text: null,
  actor: record.actor && { ...record.actor, name: withheld },
  target: null,
  address: null,
  requestId: null,
})
const withheld = 'withheld'

/** Control characters, line ends and what turns the direction of a text become `?`: a terminal may show the record. */
const cleanText = (text: string) =>
  text
    .toWellFormed()
    .slice(0, longestText)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
    .toWellFormed()

function cleanRecord(found: AlarmRecord): AlarmRecord {
  const { id, kind, console, seq, time, severity, action, outcome, text, actor, target, address, requestId } = found
  const clean = (value: string | null) => (value === null ? null : cleanText(value))
  return {
    id,
    kind,
    console,
    seq,
    time,
    severity,
    action: cleanText(action),
    outcome,
    text: clean(text),
    actor: actor && { kind: actor.kind, id: clean(actor.id), name: cleanText(actor.name) },
    target: target && { type: cleanText(target.type), id: cleanText(target.id) },
    address: clean(address),
    requestId: clean(requestId),
  }
}
