import { approvalTexts } from '#contract/approvals.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import type { ErrorCode } from '#server/lib/errors.ts'

const noRequest = { not_found: 'Request not found' }
const closed = { approval_closed: 'This request is approved (set by ada on Jan 05, 2026 at 09:00 UTC)' }
const decision = {
  ...noRequest,
  ...closed,
  forbidden: 'This needs the permission “Mark orders paid, and cancel them” (orders.decide), which you do not have',
  own_approval: approvalTexts.own,
  own_account: 'Another operator has to decide what is about your own account',
}

/** The messages of the refusals of requests for approval and of their rules. */
export const approvalRefusals: Partial<Record<CallName, Partial<Record<ErrorCode, string>>>> = {
  'approvals.list': { invalid: 'state: must be one of open, approved, declined, withdrawn, expired, failed' },
  'approvals.detail': noRequest,
  'approvals.approve': {
    ...decision,
    approval_failed: 'It can’t be done any more, and was not: This order is expired',
    requester_left: 'vera, who has requested this, has been disabled since; decline it, and let it be requested anew',
    line_claimed: 'max has this line open until Jan 05, 2026 at 09:10 UTC',
  },
  'approvals.decline': { invalid: 'comment: must not be empty', ...decision },
  'approvals.withdraw': { ...noRequest, ...closed, forbidden: 'Only who has requested it can withdraw it' },
  'approvals.see': { ...noRequest, forbidden: 'Only who has requested it can say that it was seen' },
  'approvals.saveStepUp': { invalid: 'kind: must be one of money, kyc, bank_accounts' },
  'approvals.saveRule': {
    invalid: 'fromAmount: this action has no amount',
    stale: 'This rule was changed meanwhile, by vera on Jan 05, 2026 at 09:00 UTC. Look again and decide.',
    approver_missing: '“Cancel an order” needs two active operators who may do it; invite a second one first',
  },
}
