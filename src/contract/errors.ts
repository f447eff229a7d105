/**
 * Every error code with its HTTP status. A code is named after what the caller can do about it. Refusals that leave the caller
 * the same choice share one.
 */
export const errorStatuses = {
  // The call itself.
  invalid: 400,
  cursor_unknown: 400,
  csv_profile_needed: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  unknown_host: 421,
  too_many_requests: 429,
  headers_too_large: 431,
  // Members and what belongs to them.
  stale: 409,
  email_taken: 409,
  wallet_taken: 409,
  id_taken: 409,
  member_banned: 409,
  already_banned: 409,
  not_banned: 409,
  // KYC.
  member_approved: 409,
  attempt_gap: 409,
  attempt_submitted: 409,
  attempt_decided: 409,
  attempt_superseded: 409,
  decision_waits_here: 409,
  not_submitted: 409,
  case_claimed: 409,
  case_mismatch: 409,
  message_replayed: 409,
  // Orders, bank, tokens, transfers.
  order_state: 409,
  bank_account_taken: 409,
  bank_account_used: 409,
  file_imported: 409,
  transaction_state: 409,
  token_taken: 409,
  token_switched: 409,
  chain_disagrees: 409,
  // Repeated calls, imports, deliveries, security events.
  idempotency_key_reused: 409,
  import_under_way: 409,
  batch_differs: 409,
  delivery_under_way: 409,
  nothing_to_retry: 409,
  nothing_to_resend: 409,
  endpoint_taken: 409,
  endpoint_limit: 409,
  endpoint_fixed: 409,
  endpoint_state: 409,
  endpoint_waiting: 409,
  already_resolved: 409,
  // The server, and what it depends on.
  internal: 500,
  database_unavailable: 503,
  outcome_unknown: 503,
  busy: 503,
  overloaded: 503,
  chain_disabled: 503,
  chain_unavailable: 503,
  chain_busy: 503,
  chain_wrong_network: 503,
  chain_bad_response: 502,
  chain_method_missing: 502,
  chain_batch_refused: 502,
  chain_request_refused: 502,
  chain_timeout: 504,
  kyc_provider_disabled: 503,
} as const
export type ErrorCode = keyof typeof errorStatuses

// Object.keys only knows that they are strings.
export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]
