import { userIdRequired } from '#contract/kyc-webhooks.ts'
import { kycMoves } from '#contract/kyc-moves.ts'
import { describeBankMoney, orderMoves } from '#contract/order-moves.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { mostOperators } from '#contract/operators.ts'
import { missingTokenFields } from '#contract/tokens.ts'
import { banReasonRequired } from '#contract/users.ts'
import type { ErrorCode } from '#server/lib/errors.ts'
import { authRefusals } from './auth-refusals.ts'
import { bankRefusals, statementFile } from './bank-refusals.ts'
import { busyExports, exportRefusals } from './export-refusals.ts'

type Texts = Partial<Record<ErrorCode, string>>

const at = 'set by ada on Jan 05, 2026 at 09:00 UTC'
const noUser = 'User not found'
const noOrder = 'Order not found'
const bankMoney = describeBankMoney({ received: '40.00', currency: 'EUR' })
const noCase = 'Verification not found'
const staleUser = 'This user was changed meanwhile: now banned. Reload and decide again.'
const superseded = 'This is attempt 1; attempt 2 has been submitted since'
const approved = `This user's KYC is already approved (${at})`
const unread = { invalid: 'search: must have at most 200 characters' }
const provider = {
  invalid: userIdRequired,
  not_found: noUser,
  delivery_under_way: 'An attempt to send this case is under way; wait until it has ended',
  kyc_provider_disabled: 'No KYC provider is configured: set KYC_WEBHOOK_URL',
}
const noEndpoint = 'Endpoint not found'
const endpoint = {
  not_found: noEndpoint,
  stale: 'This endpoint was changed meanwhile. Look again and decide.',
  endpoint_fixed: 'The address of this endpoint is a setting of the console and is changed there',
}
const noOwnWallet = 'Own wallet not found'
const staleOwnWallet = 'This wallet was changed meanwhile: now Payout wallet 2. Look again and decide.'
const unknownCursor = 'after: is no cursor of this list, or of before the database was moved; begin anew without it'
const keyReused = 'Idempotency-Key: this key came with another call; each call needs a key of its own'
const gone = 'This document token has expired or is not valid'
const notAnOperator = { not_found: 'Operator not found' }
const operator = {
  notFound: notAnOperator,
  change: { ...notAnOperator, stale: 'vera was changed meanwhile: now Finance. Look again and decide.' },
}
const lastSuperAdmin = 'This is the last active super admin; make another operator one first'

/** The messages of a call's own refusals. */
export const refusalTexts: Partial<Record<CallName, Texts>> = {
  'platform.saveMember': {
    invalid: 'email: must be an e-mail address',
    email_taken: 'email: another member already has this e-mail',
    stale: 'If-Match: this member is at version 3 now, not at version 2',
  },
  'platform.member': { not_found: noUser },
  'platform.members': { cursor_unknown: unknownCursor },
  'platform.memberWallets': {
    cursor_unknown: 'after: is no cursor of this list; begin anew without it',
    not_found: noUser,
  },
  'platform.orders': { cursor_unknown: unknownCursor },
  'platform.events': { cursor_unknown: unknownCursor },
  'platform.saveWallet': {
    invalid: 'address: does not match its EIP-55 checksum',
    not_found: 'memberId: there is no member m-1001',
    wallet_taken: 'address: this wallet belongs to another member',
  },
  'platform.saveDocument': {
    invalid: "body: the picture is damaged or can't be read",
    not_found: noUser,
    timeout: 'The input came in too slowly',
    too_large: 'The picture has more than 10 MB',
    unsupported_media_type: 'The picture must be a JPEG, PNG or WebP image',
  },
  'platform.saveKyc': {
    invalid: 'step3.frontDocumentPath: names no front document of this member',
    not_found: 'memberId: there is no member m-1001',
    attempt_gap: "attempt: 4 is too far ahead; the member's next attempt is 2",
    attempt_superseded: "attempt: 1 is lower than the member's latest attempt, 2",
    attempt_submitted: `attempt: attempt 1 was submitted and can't be changed any more (${at})`,
    member_approved: `attempt: the member is approved (${at})`,
  },
  'platform.saveOrder': {
    invalid: 'currency: must be a currency of ISO 4217 such as EUR',
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
    not_found: 'memberId: there is no member m-1001',
    id_taken: 'id: this transaction belongs to another member',
    transaction_state: "status: transaction t-1 is completed and can't become pending",
  },
  'platform.saveFraction': {
    invalid: 'tokenAddress: does not match its EIP-55 checksum',
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
  'users.list': unread,
  'users.detail': { not_found: noUser },
  'users.ban': {
    invalid: banReasonRequired,
    not_found: noUser,
    already_banned: `This user is already banned (${at})`,
    stale: staleUser,
  },
  'users.unban': { not_found: noUser, not_banned: `This user is not banned (${at})`, stale: staleUser },
  'users.decideKyc': {
    invalid: kycMoves.rejected.refusal,
    not_found: noUser,
    member_approved: approved,
    stale: staleUser,
  },
  'kycReviews.review': {
    invalid: kycMoves.rejected.refusal,
    not_found: noCase,
    attempt_decided: `This case is already approved (${at})`,
    attempt_superseded: superseded,
    member_approved: approved,
    stale: 'This case was changed meanwhile: now approved. Reload and decide again.',
  },
  'kycReviews.claimNext': { invalid: 'after: must be a whole number' },
  'kycReviews.claim': {
    not_found: noCase,
    attempt_decided: `This case is already approved (${at})`,
    attempt_superseded: superseded,
    case_claimed: 'joan is reviewing this case, until Jan 05, 2026 at 09:10 UTC',
  },
  'kycReviews.release': { not_found: noCase },
  'kycWebhooks.submit': {
    ...provider,
    not_submitted: 'This user has never submitted KYC, so there is nothing to send',
  },
  'kycWebhooks.retry': { ...provider, nothing_to_retry: "This user's latest attempt reached the provider" },
  'deliveries.detail': { not_found: 'Delivery not found' },
  'deliveries.resend': {
    invalid: 'ids: must name at least one delivery',
    nothing_to_resend: 'Nothing to send again: these messages are being sent now',
    not_found: 'Delivery not found',
  },
  'endpoints.create': {
    invalid: 'url: would carry events over plain http; give an https address',
    endpoint_taken: 'name: another endpoint is named Billing',
    endpoint_limit: 'There are 20 endpoints already; delete one first',
  },
  'endpoints.update': {
    ...endpoint,
    invalid: 'url: 10.0.0.5 is not public (WEBHOOK_ALLOW_PRIVATE is off)',
    endpoint_taken: 'name: another endpoint is named Billing',
  },
  'endpoints.remove': {
    ...endpoint,
    invalid: 'dropOpen: must be true or false',
    endpoint_waiting: '4 events wait or were given up here; say that they are to be dropped',
  },
  'endpoints.rotateSecret': {
    ...endpoint,
    endpoint_state: 'Two secrets sign already; end the old one before giving another',
  },
  'endpoints.endOldSecret': { ...endpoint, endpoint_state: 'One secret alone signs; there is no old one' },
  'endpoints.resume': {
    not_found: noEndpoint,
    endpoint_state: 'Events are not paused, so there is nothing to resume',
  },
  'endpoints.test': { not_found: noEndpoint, endpoint_state: 'This endpoint is paused; resume it first' },
  'documents.token': { invalid: 'documentPath: must not be empty', not_found: 'Document not found' },
  'documents.view': { not_found: gone },
  'documents.proxy': { not_found: gone },
  'orders.detail': { not_found: noOrder },
  'orders.setStatus': {
    invalid: orderMoves.cancelled.notes.refusal,
    not_found: noOrder,
    order_state: `This order is paid (${at})`,
    stale: 'This order was changed meanwhile: now paid. Reload and decide again.',
    bank_money_applied: bankMoney,
  },
  ...bankRefusals,
  'tokens.list': { invalid: 'kind: must be one of earning, fractions' },
  'tokens.create': {
    invalid: missingTokenFields.text,
    token_taken: `contractAddress: this address already stands under Earning Tokens as Solar Park (SOLAR), active (${at})`,
  },
  'tokens.setActive': {
    not_found: 'Token not found',
    stale: 'This token was changed meanwhile: now inactive. Reload and decide again.',
  },
  'wallets.balance': {
    invalid: 'walletAddress: must be 0x and 40 hexadecimal digits',
    chain_disabled: 'No chain is configured: set BSC_RPC_URLS',
    chain_unavailable: 'The blockchain cannot be reached',
    chain_busy: 'The blockchain node limits our requests; try again in a moment',
    chain_wrong_network: 'The configured node serves another network',
    chain_bad_response: 'The blockchain node gave an answer that cannot be read',
    chain_method_missing: 'The blockchain node does not offer a method that is needed (JSON-RPC error -32601)',
    chain_batch_refused: 'The blockchain node refuses the request: it takes no batches of JSON-RPC calls',
    chain_request_refused: 'The blockchain node refuses the request (JSON-RPC error -32602)',
    chain_timeout: 'The blockchain did not answer in time',
  },
  'treasury.addWallet': {
    invalid: 'address: does not match its EIP-55 checksum',
    treasury_wallet_taken: 'address: this wallet is already labelled Payout wallet',
    treasury_wallet_limit: 'There are 100 own wallets already; remove one first',
    wallet_taken: 'address: this wallet belongs to the member m-1001',
  },
  'treasury.updateWallet': {
    invalid: 'label: must not be blank',
    not_found: noOwnWallet,
    stale: staleOwnWallet,
  },
  'treasury.removeWallet': { not_found: noOwnWallet, stale: staleOwnWallet },
  'chain.contract': { invalid: 'address: must be 0x and 40 hexadecimal digits' },
  'security.resolve': {
    invalid: 'note: must have at most 1000 characters',
    not_found: 'Security event not found',
    already_resolved: `This event is already resolved (${at})`,
    stale: 'This event was changed meanwhile: now unresolved. Reload and decide again.',
  },
  'security.logs': { invalid: 'action: must be one of login, ban_user, approve_kyc, create_token' },
  'analytics.figures': { invalid: 'timeZone: must be an IANA time zone' },
  'analytics.registrations': { invalid: 'period: must be one of 7d, 30d, 3m' },
  'analytics.report': { invalid: 'timeZone: must be an IANA time zone', ...busyExports },
  'search.search': { invalid: 'q: must not be blank' },
  ...exportRefusals,
  'operators.invite': {
    invalid: 'role: must be one of viewer, reviewer, finance, super_admin',
    username_taken: 'username: another operator already has this name',
    operator_limit: `There are ${mostOperators} operators already`,
  },
  'operators.renewInvitation': { ...operator.notFound, operator_state: 'vera has set a password already' },
  'operators.setRole': {
    ...operator.change,
    operator_state: 'vera has the role Finance already',
    own_account: 'Another operator has to change your role',
    last_super_admin: lastSuperAdmin,
  },
  'operators.disable': {
    ...operator.change,
    operator_state: 'vera is disabled already (on Jan 05, 2026 at 09:00 UTC)',
    own_account: 'Another operator has to disable you',
    last_super_admin: lastSuperAdmin,
  },
  'operators.enable': { ...operator.change, operator_state: 'vera is not disabled' },
  'operators.endSessions': operator.notFound,
  'live.stream': { too_many_requests: 'At most 10 event streams a session' },
  ...authRefusals,
}
