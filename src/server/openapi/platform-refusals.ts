import { describeBankMoney } from '#contract/order-moves.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import type { ErrorCode } from '#server/lib/errors.ts'
import { statementFile } from './bank-refusals.ts'

export const at = 'set by ada on Jan 05, 2026 at 09:00 UTC'
export const noUser = 'User not found'
export const bankMoney = describeBankMoney({ received: '40.00', currency: 'EUR' })
export const approved = `This user's KYC is already approved (${at})`
const unknownCursor = 'after: is no cursor of this list, or of before the database was moved; begin anew without it'
const keyReused = 'Idempotency-Key: this key came with another call; each call needs a key of its own'
const noMember = 'memberId: there is no member m-1001'
export const memberErased = 'The member m-1001 was erased; nothing new is taken of this id'

/** The messages of refusals of the platform API. */
export const platformRefusals: Partial<Record<CallName, Partial<Record<ErrorCode, string>>>> = {
  'platform.saveMember': {
    invalid: 'email: must be an e-mail address',
    email_taken: 'email: another member already has this e-mail',
    member_erased: memberErased,
    stale: 'If-Match: this member is at version 3 now, not at version 2',
  },
  'platform.member': { not_found: noUser },
  'platform.eraseMember': {
    not_found: noMember,
    erasure_limit: 'This platform key has erased 100 members in 24 hours, and may erase 100 (ERASURES_PER_DAY)',
    legal_hold: `The member cannot be erased while a legal hold stands (${at})`,
    money_open: 'The member cannot be erased while money is open: 1 order that is waiting or paid',
  },
  'platform.members': { cursor_unknown: unknownCursor },
  'platform.memberWallets': {
    cursor_unknown: 'after: is no cursor of this list; begin anew without it',
    not_found: noUser,
  },
  'platform.orders': { cursor_unknown: unknownCursor },
  'platform.events': { cursor_unknown: unknownCursor },
  'platform.saveWallet': {
    invalid: 'address: does not match its EIP-55 checksum',
    member_erased: memberErased,
    not_found: 'memberId: there is no member m-1001',
    wallet_taken: 'address: this wallet belongs to another member',
  },
  'platform.saveDocument': {
    invalid: "body: the picture is damaged or can't be read",
    member_erased: memberErased,
    not_found: noUser,
    timeout: 'The input came in too slowly',
    too_large: 'The picture has more than 10 MB',
    unsupported_media_type: 'The picture must be a JPEG, PNG or WebP image',
  },
  'platform.saveKyc': {
    invalid: 'step3.frontDocumentPath: names no front document of this member',
    member_erased: memberErased,
    not_found: 'memberId: there is no member m-1001',
    attempt_gap: "attempt: 4 is too far ahead; the member's next attempt is 2",
    attempt_superseded: "attempt: 1 is lower than the member's latest attempt, 2",
    attempt_submitted: `attempt: attempt 1 was submitted and can't be changed any more (${at})`,
    member_approved: `attempt: the member is approved (${at})`,
    rejected_finally: `attempt: the member is rejected for good, unless an operator resets it (${at})`,
  },
  'platform.saveOrder': {
    invalid: 'currency: must be a currency of ISO 4217 such as EUR',
    member_erased: memberErased,
    not_found: 'memberId: there is no member m-1001',
    order_state: `This order is paid (${at})`,
    id_taken: 'memberId: this order belongs to another member',
    stale: 'If-Match: this order is at version 3 now, not at version 2',
    member_banned: 'memberId: the member m-1001 is banned and can place no new order',
    bank_money_applied: bankMoney,
  },
  'platform.order': { not_found: 'Order ORD-1042 not found' },
  'platform.testEvents': {
    invalid: 'endpoint: must not be empty',
    not_found: 'Endpoint Billing not found',
    endpoint_state: 'This endpoint is switched off',
    idempotency_key_reused: keyReused,
  },
  'platform.completeOrder': {
    invalid: 'Idempotency-Key: must be 1 to 255 visible characters',
    not_found: 'Order ORD-1042 not found',
    order_state: 'This order is waiting payment',
    idempotency_key_reused: keyReused,
  },
  'platform.saveTransaction': {
    invalid: 'amount: must be a decimal string, at most 60 digits before and 18 after the point',
    member_erased: memberErased,
    not_found: 'memberId: there is no member m-1001',
    id_taken: 'id: this transaction belongs to another member',
    transaction_state: "status: transaction t-1 is completed and can't become pending",
  },
  'platform.saveFraction': {
    invalid: 'tokenAddress: does not match its EIP-55 checksum',
    member_erased: memberErased,
    not_found: 'memberId: there is no member m-1001',
    id_taken: 'id: this fraction belongs to another member',
  },
  'platform.saveToken': {
    invalid: 'contractAddress: does not match its EIP-55 checksum',
    token_switched: `isActive: an operator has switched this token off (${at})`,
    stale: 'If-Match: this token is at version 3 now, not at version 2',
  },
  'platform.import': {
    timeout: 'The input came in too slowly: lines 1 to 500 stand; send all of it again to go on',
    invalid: 'dryRun: must be true or false',
    import_under_way: 'batch: move-in-1 is being imported right now; send it again when that has ended',
    batch_differs:
      'batch: lines 1 to 5000 of move-in-1 came before, and were others; give another file an id of its own',
    unsupported_media_type: 'The body must be application/x-ndjson',
  },
  'platform.bankStatements': { ...statementFile, idempotency_key_reused: keyReused },
  'platform.kycResults': {
    invalid: 'result: must be one of approved, rejected, under_review',
    unauthorized: 'Unauthorized: the signature is refused, its time is more than 5 minutes from now',
    not_found: 'userId: there is no member m-1001',
    message_replayed: 'This very message was taken before: sign it anew to send it again',
    case_mismatch: 'caseId: attempt 1 of this member is another case',
  },
}
