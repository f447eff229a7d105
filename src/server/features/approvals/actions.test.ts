import { expect, test } from 'vitest'
import { type ApprovalAction, approvalActions } from '#contract/approvals.ts'
import type { BankPolicy } from '#contract/schemas/bank-policy.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { omit } from '#server/lib/omit.ts'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeAttempt, makeMember, makeOrder, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const [ada, vera] = [server.as('ada'), server.as('vera')]
for (const call of [ada, vera]) expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { withRule, readRequest, approve, decline } = createApprovalCaller(server, ada)
const { makeLine } = await createStoredLines(server)
const { apply } = createAllocationCaller(server)

const read = async (text: string, id: string) => (await server.sql(text, [id]))[0]
const makeCase = async () => {
  const { id } = await makeMember(server, { kycStatus: 'under_review' })
  await makeAttempt(server, id)
  return id
}
const readKyc = (id: string) => read('SELECT kyc_status, version FROM members WHERE id = $1', id)
const readBan = (id: string) => read('SELECT banned, version FROM members WHERE id = $1', id)
const findCase = async (memberId: string) =>
  (await read('SELECT id::text FROM kyc_verifications WHERE member_id = $1', memberId))!['id'] as string
const readOrderStatus = (id: string) => read('SELECT status, received FROM orders WHERE id = $1', id)
const addOperator = async (name: string) => (await server.addOperator(name, 'viewer')).id
const readOperator = (id: string) => read('SELECT role, disabled_at, version FROM admins WHERE id = $1', id)
const present: BankPolicy = (await ada('GET', '/api/bank/policy')).json().policy
const policy = { ...omit(present, ['version', 'changedBy', 'changedAt', 'confirmed']), autoApply: true }
const fee = { purpose: 'ignored', amount: '1.00', code: 'fee' }
const newToken = (contractAddress: string) => ({ projectName: 'Solar Park', tokenSymbol: 'SUN', contractAddress })

interface ActionCase {
  action: ApprovalAction
  /** Which of several calls. */
  by?: string
  make: () => Promise<string>
  /** The call that a rule may cover. */
  act: (id: string) => ReturnType<typeof ada>
  /** What the call changes. */
  state: (id: string) => Promise<unknown>
}

const moveOrder = (
  status: string,
  action: ApprovalAction,
  given: Parameters<typeof makeOrder>[2] = {},
): ActionCase => ({
  action,
  make: async () => (await makeOrder(server, (await makeMember(server)).id, given)).id,
  act: (id) => ada('PATCH', `/api/orders/${id}/status`, { status, notes: 'As agreed' }),
  state: readOrderStatus,
})

let made = 0
const cases: ActionCase[] = [
  moveOrder('paid', 'mark_order_paid'),
  moveOrder('waiting_payment', 'undo_mark_paid', { status: 'paid', paidVia: 'hand' }),
  moveOrder('cancelled', 'cancel_order'),
  {
    action: 'apply_payment',
    make: async () => (await makeLine()).id,
    act: (id) => ada('POST', `/api/bank/lines/${id}/allocations`, { allocations: [fee] }),
    state: (id) => read('SELECT allocated, version FROM bank_lines WHERE id = $1', id),
  },
  {
    action: 'undo_payment',
    make: async () => {
      const order = await makeOrder(server, (await makeMember(server)).id, { investmentAmount: '100.00' })
      return (await apply((await makeLine()).id, [payOrder(order, '100.00')], { reason: 'Known' })).allocations[0]!.id
    },
    act: (id) => ada('POST', `/api/bank/allocations/${id}/undo`, { reason: 'Of another member' }),
    state: (id) => read('SELECT undone_by FROM bank_allocations WHERE id = $1', id),
  },
  {
    action: 'undo_payment',
    by: 'of a line with several parts',
    make: async () => {
      const allocations = ['30.00', '70.00'].map((amount) => ({ purpose: 'ignored', amount, code: 'fee' }))
      return (await apply((await makeLine()).id, allocations)).line.id
    },
    act: async (id) => {
      const rows = await server.sql('SELECT id::text FROM bank_allocations WHERE line_id = $1', [id])
      const allocationIds = rows.map((row) => row['id'])
      return ada('POST', `/api/bank/lines/${id}/undo`, { allocationIds, reason: 'Of another account' })
    },
    state: (id) => read('SELECT array_agg(undone_by) AS undone FROM bank_allocations WHERE line_id = $1', id),
  },
  ...(['approve', 'reject', 'reset'] as const).map((action): ActionCase => ({
    action: `${action}_kyc`,
    by: 'on the page of the member',
    make: makeCase,
    act: (id) => ada('POST', `/api/users/${id}/kyc/${action}`, { rejectionReason: 'Blurred', adminNotes: 'Seen' }),
    state: readKyc,
  })),
  ...(['approve', 'reject'] as const).map((action): ActionCase => ({
    action: `${action}_kyc`,
    by: 'of the verification',
    make: makeCase,
    act: async (id) =>
      ada('POST', `/api/kyc/verifications/${await findCase(id)}/review`, {
        action,
        rejectionReason: 'Blurred',
        adminNotes: '',
      }),
    state: readKyc,
  })),
  {
    action: 'ban_user',
    make: async () => (await makeMember(server)).id,
    act: (id) => ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' }),
    state: readBan,
  },
  {
    action: 'unban_user',
    make: async () => (await makeMember(server, { banned: true })).id,
    act: (id) => ada('POST', `/api/users/${id}/unban`),
    state: readBan,
  },
  {
    action: 'create_token',
    make: async () => newAddress(),
    act: (address) => ada('POST', '/api/tokens/earning', newToken(address)),
    state: (address) => read('SELECT project_name FROM tokens WHERE contract_address = $1', address),
  },
  {
    action: 'switch_token',
    make: async () => (await ada('POST', '/api/tokens/earning', newToken(newAddress()))).json().token.id,
    act: async (id) => {
      const { isActive } = (await read('SELECT is_active AS "isActive" FROM tokens WHERE id = $1', id))!
      return ada('PATCH', `/api/tokens/earning/${id}`, { isActive: !isActive })
    },
    state: (id) => read('SELECT is_active, version FROM tokens WHERE id = $1', id),
  },
  {
    action: 'set_bank_policy',
    make: async () => '1',
    act: async () => {
      const { graceDays } = (await ada('GET', '/api/bank/policy')).json().policy
      return ada('PUT', '/api/bank/policy', { ...policy, graceDays: (graceDays + 1) % 8 })
    },
    state: (id) => read('SELECT grace_days, version FROM bank_policy WHERE id = $1', id),
  },
  {
    action: 'change_operators',
    by: 'for another role',
    make: () => addOperator(`role-${(made += 1)}`),
    act: (id) => ada('PATCH', `/api/operators/${id}/role`, { role: 'finance' }),
    state: readOperator,
  },
  {
    action: 'change_operators',
    by: 'for access again',
    make: async () => {
      const id = await addOperator(`enabled-${(made += 1)}`)
      await server.sql('UPDATE admins SET disabled_at = now() WHERE id = $1', [id])
      return id
    },
    act: (id) => ada('POST', `/api/operators/${id}/enable`, { reason: 'Is back' }),
    state: readOperator,
  },
  {
    action: 'change_operators',
    by: 'for an invitation',
    make: async () => `invited-${(made += 1)}`,
    act: (username) => ada('POST', '/api/operators', { username, role: 'viewer' }),
    state: (username) => read('SELECT role FROM admins WHERE username = $1', username),
  },
  {
    action: 'change_operators',
    by: 'for another invitation',
    make: async () =>
      (await ada('POST', '/api/operators', { username: `again-${(made += 1)}`, role: 'viewer' })).json().operator.id,
    act: (id) => ada('POST', `/api/operators/${id}/invitation`),
    state: (id) => read('SELECT code_hash FROM operator_invitations WHERE admin_id = $1', id),
  },
  {
    action: 'set_approval_rule',
    make: async () => 'ban_user',
    act: async (action) => {
      const isOn = (await read('SELECT is_on FROM approval_rules WHERE action = $1', action))?.['is_on'] === true
      return ada('PUT', `/api/approval-rules/${action}`, { isOn: !isOn, fromAmount: null, currency: null, roles: null })
    },
    state: (action) => read('SELECT is_on, version FROM approval_rules WHERE action = $1', action),
  },
]

const name = ({ action, by }: ActionCase) => (by ? `${action} ${by}` : action)

test.each(cases.map((each) => [name(each), each] as const))('%s waits under a rule alone', async (_name, each) => {
  const free = await each.make()
  const before = await each.state(free)
  const reply = await each.act(free)
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await each.state(free)).not.toEqual(before)

  const id = await each.make()
  const start = await each.state(id)
  await withRule(each.action, async () => {
    const declined = readRequest(await each.act(id))
    expect(declined.changes.length).toBeGreaterThan(0)
    expect(await each.state(id)).toEqual(start)
    expect((await decline(vera, declined)).statusCode).toBe(200)
    expect(await each.state(id)).toEqual(start)

    const request = readRequest(await each.act(id))
    expect(request).toMatchObject({ action: each.action, state: 'open' })
    const approved = await approve(vera, request)
    expect(approved.statusCode, approved.body).toBe(200)
    expect(await each.state(id)).not.toEqual(start)
    const [row] = await server.sql(
      `SELECT actor_name, details->'approval'->>'approvedBy' AS approver FROM audit_log
        WHERE details->'approval'->>'id' = $1`,
      [request.id],
    )
    expect(row).toEqual({ actor_name: 'ada', approver: 'vera' })
  })
})

test('each action that a rule may name is carried by a call, and tried here', () => {
  const carried = new Set(allRoutes.flatMap(({ route }) => route.approvals ?? []))
  expect([...carried].toSorted()).toEqual([...approvalActions].toSorted())
  expect([...new Set(cases.map(({ action }) => action))].toSorted()).toEqual([...approvalActions].toSorted())
})

test('a request for an approval of KYC names no membership id (product 2.11)', async () => {
  const id = await makeCase()
  await withRule('approve_kyc', async () => {
    const request = readRequest(await ada('POST', `/api/users/${id}/kyc/approve`, {}))
    expect(request.changes).toMatchObject([{ details: { before: { kycStatus: 'under_review' } } }])
    expect(JSON.stringify(request.changes)).not.toContain('MB-')
    const again = await ada('POST', `/api/kyc/verifications/${await findCase(id)}/review`, { action: 'approve' })
    expect(again.json()).toMatchObject({ code: 'approval_waiting', details: { approvalId: request.id } })
    await decline(vera, request)
  })
})

test('lines that are applied together are requested one by one (product 2.11)', async () => {
  const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
  expect((await ada('PUT', '/api/bank/policy', policy)).statusCode).toBe(200)
  const amounts = ['50.00', '150.00']
  const orders = await Promise.all(
    amounts.map((investmentAmount, at) =>
      makeOrder(server, member.id, { orderNumber: `ORD-0772${at}1`, investmentAmount }),
    ),
  )
  const ids = await importPayments(
    server,
    ...orders.map(({ orderNumber: text, investmentAmount: amount }) => ({ text, payer: 'ANA LIMA', amount })),
  )
  await runJob(server.services, 'propose-matches')
  await withRule(
    'apply_payment',
    async () => {
      const reply = await ada('POST', '/api/bank/apply-exact', { lines: ids.map((id) => ({ id, version: 1 })) })
      expect(reply.json()).toMatchObject({
        applied: [{ id: ids[0] }],
        skipped: [{ id: ids[1], message: 'Sent for approval' }],
      })
      expect(await readOrderStatus(orders[1]!.id)).toMatchObject({ status: 'waiting_payment' })
      const { approvals } = (await vera('GET', '/api/approvals?state=open&view=others')).json()
      expect(approvals).toMatchObject([{ action: 'apply_payment', amount: '150.00', target: { id: ids[1] } }])
      expect((await approve(vera, approvals[0])).statusCode).toBe(200)
      expect(await readOrderStatus(orders[1]!.id)).toMatchObject({ status: 'paid', received: '150.00' })
    },
    { fromAmount: '100.00', currency: 'EUR' },
  )
})

test('the link of an approved invitation is answered to the approver, once (product 2.11)', async () => {
  await withRule('change_operators', async () => {
    const request = readRequest(await ada('POST', '/api/operators', { username: 'linked', role: 'viewer' }))
    expect(JSON.stringify(request)).not.toContain('/invitation/')
    const { link } = (await approve(vera, request)).json()
    expect((await server.app.inject({ url: new URL(link).pathname })).statusCode).toBe(200)
  })
})

test('nobody approves a change of their own account (product 2.11)', async () => {
  const max = server.as('max')
  const { admin } = (await max('GET', '/api/account')).json()
  await withRule('change_operators', async () => {
    const request = readRequest(await ada('PATCH', `/api/operators/${admin.id}/role`, { role: 'viewer' }))
    expect((await approve(max, request)).json()).toMatchObject({ code: 'own_account' })
    expect((await approve(vera, request)).statusCode).toBe(200)
  })
})

test('taking access away waits for nobody (product 2.11)', async () => {
  const id = await addOperator('leaver')
  await withRule('change_operators', async () => {
    expect((await ada('POST', `/api/operators/${id}/disable`, { reason: 'Has left' })).statusCode).toBe(200)
  })
})
