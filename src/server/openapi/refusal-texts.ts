import { userIdRequired } from '#contract/kyc-webhooks.ts'
import { kycMoves } from '#contract/kyc-moves.ts'
import { orderMoves } from '#contract/order-moves.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { mostOperators } from '#contract/operators.ts'
import { missingTokenFields } from '#contract/tokens.ts'
import { banReasonRequired } from '#contract/users.ts'
import type { ErrorCode } from '#server/lib/errors.ts'
import { authRefusals } from './auth-refusals.ts'
import { bankRefusals } from './bank-refusals.ts'
import { busyExports, exportRefusals } from './export-refusals.ts'
import { at, noUser, bankMoney, approved, memberErased, platformRefusals } from './platform-refusals.ts'

type Texts = Partial<Record<ErrorCode, string>>

const noOrder = 'Order not found'
const noNote = 'Note not found'
const noView = 'There is no such saved view, or not one that the operator may see.'
const viewTaken = 'The operator has another view of this list under that name.'
const noCase = 'Verification not found'
const staleUser = 'This user was changed meanwhile: now banned. Reload and decide again.'
const superseded = 'This is attempt 1; attempt 2 has been submitted since'
const undecidedCase = {
  not_found: noCase,
  attempt_decided: `This case is already approved (${at})`,
  attempt_superseded: superseded,
}
const waitingCase = {
  ...undecidedCase,
  case_claimed: 'joan is reviewing this case, until Jan 05, 2026 at 09:10 UTC',
}
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
const gone = 'This document token has expired or is not valid'
const notAnOperator = { not_found: 'Operator not found' }
const operator = {
  notFound: notAnOperator,
  change: { ...notAnOperator, stale: 'vera was changed meanwhile: now Finance. Look again and decide.' },
}
const lastSuperAdmin = 'This is the last active super admin; make another operator one first'

/** The messages of a call's own refusals. */
export const refusalTexts: Partial<Record<CallName, Texts>> = {
  ...platformRefusals,
  'users.list': unread,
  'users.detail': { not_found: noUser },
  'activity.member': { not_found: noUser },
  'activity.order': { not_found: noOrder },
  'peek.member': { not_found: noUser },
  'peek.order': { not_found: noOrder },
  'notes.writeOnMember': { not_found: noUser, member_erased: memberErased },
  'notes.writeOnOrder': { not_found: noOrder, member_erased: memberErased },
  'notes.edit': {
    not_found: noNote,
    forbidden: 'Only who wrote a note may edit it',
    member_erased: memberErased,
    stale: 'This note was edited meanwhile. Reload and decide again.',
  },
  'notes.pin': { not_found: noNote, member_erased: memberErased },
  'notes.versions': { not_found: noNote },
  'views.create': { view_taken: viewTaken, views_full: 'The operator has as many saved views as one may have.' },
  'views.change': {
    not_found: noView,
    view_taken: viewTaken,
    stale: 'The view was changed since the version that `If-Match` names.',
  },
  'views.share': { not_found: noView },
  'views.remove': { not_found: noView },
  'users.ban': {
    invalid: banReasonRequired,
    not_found: noUser,
    already_banned: `This user is already banned (${at})`,
    member_erased: memberErased,
    stale: staleUser,
  },
  'users.unban': {
    not_found: noUser,
    not_banned: `This user is not banned (${at})`,
    member_erased: memberErased,
    stale: staleUser,
  },
  'users.decideKyc': {
    invalid: kycMoves.rejected.refusal,
    not_found: noUser,
    member_erased: memberErased,
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
  'kycReviews.detail': undecidedCase,
  'kycReviews.claim': waitingCase,
  'kycReviews.askAnotherLook': { ...waitingCase, invalid: 'note: must not be empty' },
  'kycReviews.endAnotherLook': waitingCase,
  'kycReviews.links': { not_found: noUser },
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
  'analytics.trends': { invalid: 'timeZone: must be an IANA time zone' },
  'analytics.registrations': { invalid: 'period: must be one of 7d, 30d, 3m' },
  'analytics.transfers': { invalid: 'period: must be one of 7d, 30d, 3m' },
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
  'operators.resetFactors': {
    ...operator.change,
    operator_state: 'vera has no second factor',
    own_account: 'Another operator has to reset your second factors',
  },
  'operators.endSessions': operator.notFound,
  'live.stream': { too_many_requests: 'At most 10 event streams a session' },
  ...authRefusals,
}
