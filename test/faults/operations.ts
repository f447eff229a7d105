/** What a change has to leave behind, each counted for its target. */
export interface Effect {
  /** Rows in the intended state. */
  state: number
  audits: number
  events: number
  /** Outgoing messages of those events. */
  messages: number
}

interface OperationDesign {
  /** The whole effect. */
  whole: Effect
  /** Whether the same call again is acknowledged again, and changes nothing. */
  isRepeatable: boolean
  /** SQL of each count, over `t.target` and `t.mark`. */
  sql: { state: string; audits: string; event?: { entity: 'member' | 'order'; id: string; type: string } }
}

const decided: Effect = { state: 1, audits: 1, events: 1, messages: 1 }
const stored: Effect = { state: 1, audits: 1, events: 0, messages: 0 }

const countAudits = (action: string, target: string, id = 't.target', more = 'true') =>
  `SELECT count(*) FROM audit_log AS a WHERE a.action = '${action}' AND a.target_type = '${target}' AND a.target_id = ${id} AND ${more}`
const orderId = (number: string) => `(SELECT id::text FROM orders WHERE order_number = ${number})`
const wasUnbanned = `EXISTS (SELECT FROM audit_log WHERE action = 'unban_user' AND target_type = 'user' AND target_id = t.target)`
const wasCompleted = `EXISTS (SELECT FROM audit_log WHERE action = 'complete_order' AND target_type = 'order' AND target_id = o.id::text)`
const memberEvent = (type: string) => ({ entity: 'member', id: 't.target', type }) as const
const orderEvent = (type: string, id = 't.target') => ({ entity: 'order', id, type }) as const

/** Every kind of change that clients make, with what it leaves behind. */
export const operationKinds = {
  ban: {
    whole: decided,
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM members WHERE id = t.target AND (banned_reason = t.mark OR ${wasUnbanned})`,
      audits: countAudits('ban_user', 'user'),
      event: memberEvent('member.banned'),
    },
  },
  unban: {
    whole: decided,
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM members WHERE id = t.target AND NOT banned AND ban_changed_at IS NOT NULL`,
      audits: countAudits('unban_user', 'user'),
      event: memberEvent('member.unbanned'),
    },
  },
  approve: {
    whole: { ...decided, state: 2 },
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM (
        SELECT 1 FROM members WHERE id = t.target AND kyc_status = 'approved' AND kyc_admin_notes = t.mark AND membership_id IS NOT NULL
        UNION ALL SELECT 1 FROM kyc_verifications WHERE member_id = t.target AND status = 'approved') AS found`,
      audits: countAudits('approve_kyc', 'user'),
      event: memberEvent('kyc.approved'),
    },
  },
  kycResult: {
    whole: { ...decided, state: 3 },
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM (
        SELECT 1 FROM members WHERE id = t.target AND kyc_status = 'approved'
        UNION ALL SELECT 1 FROM kyc_verifications WHERE member_id = t.target AND provider_result = 'approved'
        UNION ALL SELECT 1 FROM messages WHERE direction = 'in' AND state = 'applied' AND message_id = t.mark) AS found`,
      audits: countAudits('approve_kyc', 'user'),
      event: memberEvent('kyc.approved'),
    },
  },
  markPaid: {
    whole: decided,
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM orders AS o WHERE order_number = t.target AND notes = t.mark AND (status = 'paid' OR ${wasCompleted})`,
      audits: countAudits('set_order_status', 'order', orderId('t.target')),
      event: orderEvent('order.paid'),
    },
  },
  complete: {
    whole: stored,
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM orders WHERE order_number = t.target AND status = 'completed'`,
      audits: countAudits('complete_order', 'order', orderId('t.target')),
    },
  },
  cancel: {
    whole: decided,
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM orders WHERE order_number = t.target AND notes = t.mark AND status = 'cancelled'`,
      audits: countAudits('set_order_status', 'order', orderId('t.target')),
      event: orderEvent('order.cancelled'),
    },
  },
  /** The target is a bank line, the mark the number of the order that it pays. */
  applyPayment: {
    whole: { ...decided, state: 3 },
    isRepeatable: false,
    sql: {
      state: `SELECT count(*) FROM (
        SELECT 1 FROM bank_allocations WHERE line_id = t.target::bigint AND undone_at IS NULL
        UNION ALL SELECT 1 FROM bank_lines WHERE id = t.target::bigint AND allocated = amount
        UNION ALL SELECT 1 FROM orders WHERE order_number = t.mark AND status = 'paid' AND received = investment_amount) AS found`,
      audits: countAudits('apply_payment', 'bank_line'),
      event: orderEvent('order.paid', 't.mark'),
    },
  },
  saveMember: {
    whole: stored,
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM members WHERE id = t.target AND legal_last_name = t.mark`,
      audits: countAudits('platform_call', 'user', 't.target', `a.details->>'outcome' = 'created'`),
    },
  },
  saveOrder: {
    whole: stored,
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM orders WHERE order_number = t.target AND project_name = t.mark`,
      audits: countAudits('platform_call', 'order', orderId('t.target'), `a.details->>'outcome' = 'created'`),
    },
  },
  /** A picture of the target, a member. The mark is its SHA-256. */
  saveDocument: {
    whole: stored,
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM documents WHERE member_id = t.target AND encode(upload_hash, 'hex') = t.mark`,
      audits: countAudits('platform_call', 'user', 't.target', `a.details->>'outcome' = 'created'`),
    },
  },
  /** A member, a wallet and an order in one batch, whose id is the mark. */
  import: {
    whole: { ...stored, state: 3 },
    isRepeatable: true,
    sql: {
      state: `SELECT count(*) FROM (
        SELECT 1 FROM members WHERE id = t.target
        UNION ALL SELECT 1 FROM wallets WHERE member_id = t.target
        UNION ALL SELECT 1 FROM orders WHERE order_number = t.target) AS found`,
      audits: `SELECT count(*) FROM audit_log WHERE action = 'import' AND details->>'batch' = t.mark AND details ? 'begun'`,
    },
  },
} satisfies Record<string, OperationDesign>

export type OperationKind = keyof typeof operationKinds

export const designOf = (kind: OperationKind): OperationDesign => operationKinds[kind]

/** A statement that reads the effect of each pair of `$1` (targets) and `$2` (marks). */
export function effectStatement(kind: OperationKind): string {
  const { state, audits, event } = designOf(kind).sql
  const events = event
    ? `SELECT count(*) FROM platform_events AS e WHERE e.entity_type = '${event.entity}' AND e.entity_id = ${event.id} AND e.type = '${event.type}'`
    : 'SELECT 0'
  const messages = event
    ? `SELECT count(*) FROM messages AS m JOIN platform_events AS e ON e.id = m.event_row
       WHERE e.entity_type = '${event.entity}' AND e.entity_id = ${event.id} AND e.type = '${event.type}'`
    : 'SELECT 0'
  return `SELECT (${state})::int AS state, (${audits})::int AS audits, (${events})::int AS events, (${messages})::int AS messages
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(target, mark, n) ORDER BY n`
}
