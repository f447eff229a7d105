import type pg from 'pg'

/** Actions of operators and providers that the platform is told of. */
const announcedActions = ['ban_user', 'unban_user', 'approve_kyc', 'set_order_status', 'apply_payment']

const activeAllocations = (condition: string) =>
  `coalesce((SELECT sum(amount) FROM bank_allocations AS p WHERE p.undone_at IS NULL AND ${condition}), 0)`

/** What may never be found, each as a statement whose rows are the faults. */
const invariants: Record<string, string> = {
  'an event without an audit row of its transaction': `
    SELECT e.type || ' of ' || e.entity_id AS found FROM platform_events AS e
    WHERE NOT EXISTS (SELECT FROM audit_log AS a WHERE a.xid = e.changed_in)`,
  'an audit row of an announced action without an event of its transaction': `
    SELECT a.action || ' of ' || a.target_id AS found FROM audit_log AS a
    WHERE a.action IN (${announcedActions.map((action) => `'${action}'`).join(', ')})
      AND NOT EXISTS (SELECT FROM platform_events AS e WHERE e.changed_in = a.xid)`,
  'an event with more or fewer than one message': `
    SELECT e.type || ' of ' || e.entity_id || ': ' || count(m.id) AS found
    FROM platform_events AS e LEFT JOIN messages AS m ON m.event_row = e.id AND m.direction = 'out'
    GROUP BY e.id HAVING count(m.id) <> 1`,
  'a gap in the sequence of an entity': `
    SELECT entity_type || ' ' || entity_id AS found FROM platform_events
    GROUP BY entity_type, entity_id HAVING max(sequence) <> count(*)`,
  'an order whose received money is not the sum of its parts': `
    SELECT order_number AS found FROM orders AS o
    WHERE received <> ${activeAllocations(`p.purpose = 'order' AND p.order_id = o.id`)}`,
  'a bank line whose applied money is not the sum of its parts': `
    SELECT id::text AS found FROM bank_lines AS l WHERE allocated <> ${activeAllocations('p.line_id = l.id')} OR allocated > amount`,
  ...Object.fromEntries(
    ['users members', 'orders orders', 'audit_log audit_log', 'bank_lines bank_lines'].map((pair) => {
      const [list, table] = pair.split(' ')
      return [
        `a count of the list ${list} that is not the number of its rows`,
        `SELECT counted || ' instead of ' || rows AS found FROM
          (SELECT count(*) AS rows FROM ${table}) AS real,
          (SELECT coalesce(sum(rows), 0) AS counted FROM (
            SELECT rows FROM list_totals WHERE list = '${list}' UNION ALL SELECT rows FROM list_deltas WHERE list = '${list}') AS c) AS kept
         WHERE counted <> rows`,
      ]
    }),
  ),
}

/** Compares tables with each other. Returns a line for each fault, at most ten of a kind. */
export async function checkDatabase(client: pg.Client): Promise<string[]> {
  const faults: string[] = []
  for (const [name, statement] of Object.entries(invariants)) {
    const { rows } = await client.query<{ found: string }>(`${statement} LIMIT 10`)
    faults.push(...rows.map(({ found }) => `${name}: ${found}`))
  }
  return faults
}
