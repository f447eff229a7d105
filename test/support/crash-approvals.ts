import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools } from './crash-test.ts'
import type { TestServer } from './server.ts'

interface ApprovalFixtures extends CrashTools {
  makeWaitingOrder: () => Promise<{ id: string; memberId: string }>
}

/** The changes of requests for approval and of their rules, to be killed at each statement. */
export function createApprovalChanges(
  server: TestServer,
  { crashAtEachStatement, makeAdmin, makeWaitingOrder }: ApprovalFixtures,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  const readId = async (username: string) =>
    (await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [username]))[0]!.id
  /** An order that an operator has requested to be marked paid. */
  async function makeRequest(username: string) {
    const order = await makeWaitingOrder()
    const [row] = await server.sql<{ id: string }>(
      `INSERT INTO approvals (action, call, params, body, target_version, target_type, target_id, target_name, member_id,
         changes, requested_by, expires_at)
       VALUES ('mark_order_paid', 'orders.setStatus', $1, '{"status": "paid"}', 1, 'order', $2, 'An order', $3, '[]', $4,
         now() + interval '1 hour') RETURNING id::text`,
      [{ id: order.id }, order.id, order.memberId, await readId(username)],
    )
    return row!.id
  }
  const makeForeignRequest = async () => makeRequest(await makeAdmin())
  const setRule = () =>
    server.sql(`INSERT INTO approval_rules (action, is_on, changed_by) VALUES ('mark_order_paid', true, 'ada')
      ON CONFLICT (action) DO NOTHING`)
  return [
    [
      'a request for an approval',
      'PATCH /api/orders/:id/status',
      change({
        make: async () => {
          await setRule()
          return makeWaitingOrder()
        },
        act: ({ call }, { id }) => call('PATCH', `/api/orders/${id}/status`, { status: 'paid', notes: 'Seen' }),
        statusAgain: 409,
      }),
    ],
    [
      'an approval',
      'POST /api/approvals/:id/approve',
      change({
        make: makeForeignRequest,
        act: ({ call }, id) => call('POST', `/api/approvals/${id}/approve`, { comment: 'Seen too' }),
        statusAgain: 409,
      }),
    ],
    [
      'an approval that comes too late',
      'POST /api/approvals/:id/approve',
      change({
        make: async () => {
          const id = await makeForeignRequest()
          await server.sql(
            `UPDATE orders SET version = 2 WHERE id = (SELECT target_id::bigint FROM approvals WHERE id = $1)`,
            [id],
          )
          return id
        },
        act: ({ call }, id) => call('POST', `/api/approvals/${id}/approve`, {}),
        statusAgain: 409,
      }),
    ],
    [
      'a declined request',
      'POST /api/approvals/:id/decline',
      change({
        make: makeForeignRequest,
        act: ({ call }, id) => call('POST', `/api/approvals/${id}/decline`, { comment: 'Of another order' }),
        statusAgain: 409,
      }),
    ],
    [
      'a withdrawn request',
      'POST /api/approvals/:id/withdraw',
      change({
        make: () => makeRequest('ada'),
        act: ({ call }, id) => call('POST', `/api/approvals/${id}/withdraw`),
        statusAgain: 409,
      }),
    ],
    [
      'a look at how an own request ended',
      'POST /api/approvals/:id/see',
      change({
        make: async () => {
          const id = await makeRequest('ada')
          await server.sql(`UPDATE approvals SET state = 'expired', closed_at = now() WHERE id = $1`, [id])
          return id
        },
        act: ({ call }, id) => call('POST', `/api/approvals/${id}/see`),
      }),
    ],
    [
      'a rule for recent sign-ins',
      'PUT /api/step-up-rules/:kind',
      change({
        make: () => server.sql(`DELETE FROM settings WHERE name = 'step_up_rules'`),
        act: ({ call }) => call('PUT', '/api/step-up-rules/money', { isOn: true }),
      }),
    ],
    [
      'a rule for approvals',
      'PUT /api/approval-rules/:action',
      change({
        make: async () => {
          await server.sql('DELETE FROM approval_rules')
          await makeAdmin()
        },
        act: ({ call }) =>
          call('PUT', '/api/approval-rules/ban_user', { isOn: true, fromAmount: null, currency: null, roles: null }),
      }),
    ],
  ]
}
