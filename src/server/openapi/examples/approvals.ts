import { approvalTexts } from '#contract/approvals.ts'
import type { Approval, ApprovalRule } from '#contract/schemas/approvals.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

const waiting: Approval = {
  id: '7',
  action: 'mark_order_paid',
  state: 'open',
  target: { type: 'order', id: '12', name: 'ORD-2026-00012' },
  memberId: 'm-1',
  amount: '15000.00',
  currency: 'EUR',
  changes: [
    {
      action: 'set_order_status',
      details: {
        orderNumber: 'ORD-2026-00012',
        notes: 'Seen on the statement',
        before: { status: 'waiting_payment' },
        after: { status: 'paid' },
      },
    },
  ],
  requestedBy: 'vera',
  requestedAt: at,
  expiresAt: later,
  decidedBy: null,
  closedAt: null,
  comment: null,
  failure: null,
  isOwn: false,
  isSeen: true,
  canDecide: true,
  approvalProblem: null,
}
const closed = { ...waiting, closedAt: later, canDecide: false, isSeen: false }
const rule: ApprovalRule = {
  action: 'mark_order_paid',
  isOn: true,
  fromAmount: '5000.00',
  currency: 'EUR',
  roles: null,
  able: ['finance', 'super_admin'],
  changedBy: 'ada',
  changedAt: at,
  version: 2,
}
const params = { id: '7' }

export const approvals: ExamplesOf<'approvals'> = {
  list: { query: { state: 'open' }, reply: { approvals: [waiting], total: 1, totalExact: true, page: 1, limit: 50 } },
  detail: { params, reply: { approval: waiting } },
  approve: {
    params,
    body: { comment: 'Seen, too' },
    reply: {
      message: approvalTexts.approved,
      approval: { ...closed, state: 'approved', decidedBy: 'ada', comment: 'Seen, too' },
      link: null,
    },
  },
  decline: {
    params,
    body: { comment: 'The money is on another order' },
    reply: {
      message: approvalTexts.declined,
      approval: { ...closed, state: 'declined', decidedBy: 'ada', comment: 'The money is on another order' },
    },
  },
  withdraw: {
    params,
    reply: { message: approvalTexts.withdrawn, approval: { ...closed, state: 'withdrawn', isOwn: true, isSeen: true } },
  },
  see: { params },
  ownRules: { reply: { rules: [{ action: 'mark_order_paid', fromAmount: '5000.00', currency: 'EUR' }] } },
  rules: { reply: { rules: [rule], expiryHours: 72, stepUp: ['money'] } },
  saveRule: {
    params: { action: 'mark_order_paid' },
    body: { isOn: true, fromAmount: '5000.00', currency: 'EUR', roles: null },
    reply: { message: approvalTexts.ruleSaved, rule },
  },
  saveStepUp: {
    params: { kind: 'money' },
    body: { isOn: true },
    reply: { message: approvalTexts.stepUpSaved, stepUp: ['money'] },
  },
}
