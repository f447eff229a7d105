import { bankRoutes, bankTexts } from '#contract/bank.ts'
import { reconciliationTexts } from '#contract/reconciliation.ts'

const at = 'set by ada on Jan 05, 2026 at 09:00 UTC'
const unread = { invalid: 'search: must have at most 200 characters' }
const noOrder = 'Order not found'
const noUser = 'User not found'
const noLine = 'Bank line not found'
const bankAccountTaken = 'account: DE89 3704 … 3000 (EUR) is already the account Giro'
export const statementFile = {
  invalid: 'DE89 3704 … 3000 (EUR) is none of your accounts: add it first',
  csv_profile_needed: bankTexts.columnsUnknown,
  file_imported: 'This file was imported by ana on Nov 20, 2026 at 08:12 UTC: 214 lines',
  timeout: 'The input came in too slowly',
  too_large: bankTexts.fileTooLarge,
  unsupported_media_type: `The body must be one of ${bankRoutes.import.consumes?.join(', ')}, not compressed`,
}

const undone = {
  not_found: 'Payment not found',
  part_undone: 'This part was undone by ada on Jan 05, 2026 at 09:00 UTC',
  order_state:
    'Order ORD-1042 was completed by platform:shop on Jan 05, 2026 at 09:00 UTC: settle it with the platform first',
  line_amount: '40.00 EUR of this line were paid back on Jan 05, 2026 at 09:00 UTC: undo that first',
}

/** The messages of the calls about bank accounts, their lines and what these pay. */
export const bankRefusals = {
  'bank.createAccount': {
    invalid: 'currency: must be a currency of ISO 4217 such as EUR',
    bank_account_taken: bankAccountTaken,
  },
  'bank.updateAccount': {
    invalid: 'csvProfile.columns: must name the column of the date',
    not_found: 'Bank account not found',
    stale: 'This bank account was changed meanwhile: now Giro, DE89 3704 … 3000 (EUR). Look again and decide.',
    bank_account_taken: bankAccountTaken,
    bank_account_used: 'DE89 3704 … 3000 (EUR) has lines: its number stays as it is',
  },
  'bank.import': statementFile,
  'bank.checkUndoImport': { not_found: 'Import not found' },
  'bank.undoImport': {
    invalid: 'reason: must not be empty',
    not_found: 'Import not found',
    import_undone: 'This import was undone by ada on Jan 05, 2026 at 09:00 UTC',
    import_used: '3 lines of it have a purpose: what was decided stays on record, so this import cannot be undone',
  },
  'bank.acceptUnreadable': {
    invalid: 'reason: must not be empty',
    not_found: 'Import not found',
    import_undone: 'This import was undone by ada on Jan 05, 2026 at 09:00 UTC',
    no_unreadable: 'Everything in this file could be read',
  },
  'bank.file': { not_found: 'Import not found' },
  'bank.acceptGap': {
    invalid: 'reason: must not be empty',
    not_found: 'Statement not found',
    no_gap: 'Nothing is missing before this statement',
  },
  'bank.acceptDifference': {
    invalid: 'reason: must not be empty',
    not_found: 'Statement not found',
    no_difference: 'The lines of this statement and its balances do not differ',
  },
  'bank.lines': unread,
  'reconciliation.apply': {
    invalid: 'parts.0.amount: must be a decimal string such as 12.50',
    payer_differs: 'RUI LIMA is not Ana Lima: give a reason to take this payment',
    not_found: 'Bank line not found',
    stale:
      'This line was changed meanwhile, by ada on Jan 05, 2026 at 09:00 UTC: 40.00 EUR of 100.00 EUR are applied. Reload and decide again.',
    line_claimed: 'joan has this line open, until Jan 05, 2026 at 09:10 UTC',
    line_state: 'The bank has not booked this line',
    line_amount: 'Only 60.00 EUR of this line are left',
    line_account:
      'That payment came to DE89370400440532013000, and this money left DE02120300000000202051: a bank takes back only what it booked on the same account',
    line_direction: 'Money that went out pays no order',
    order_state: `Order ORD-1042 is paid (${at})`,
    order_amount: 'Order ORD-1042 waits for 60.00 EUR only; say what the other 40.00 EUR are for',
    order_currency: 'Order ORD-1042 asks for EUR, the bank booked CHF',
  },
  'reconciliation.undo': { invalid: 'reason: must not be empty', ...undone },
  'reconciliation.undoParts': { invalid: 'partIds: must name a part', ...undone },
  'reconciliation.orderPayments': { not_found: noOrder },
  'reconciliation.memberPayers': { not_found: noUser },
  'reconciliation.line': { not_found: noLine },
  'reconciliation.judge': { invalid: 'orderId: must be a whole number', not_found: noLine },
  'reconciliation.credits': { ...unread, not_found: noLine },
  'reconciliation.claim': {
    not_found: noLine,
    line_claimed: 'joan has this line open, until Jan 05, 2026 at 09:10 UTC',
  },
  'reconciliation.release': { not_found: noLine },
  'reconciliation.applyExact': {
    invalid: 'lines: must hold a line',
    policy_off: reconciliationTexts.policyOff,
  },
  'reconciliation.savePolicy': {
    invalid: 'graceDays: must be 0 to 7',
    stale: 'The policy was changed meanwhile, by ada on Jan 05, 2026 at 09:00 UTC. Look again and decide.',
  },
}
