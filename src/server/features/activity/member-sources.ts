import { buildOrderSources } from './order-sources.ts'
import {
  auditOf,
  buildLink,
  changedFields,
  details,
  quoteType,
  type EntryFields,
  messageFields,
  noteSource,
  type Source,
} from './source.ts'

const kycSources: Source[] = [
  ...([2, 3, 4] as const).map((step): Source => ({
    kind: 'kyc',
    type: quoteType('kyc_step'),
    // The last step of a submitted attempt comes with its submission.
    rows: `FROM kyc_step${step} k WHERE k.member_id = $1
      ${step === 4 ? 'AND NOT EXISTS (SELECT FROM kyc_submissions s WHERE s.member_id = $1 AND s.attempt_number = k.attempt_number)' : ''}`,
    at: 'k.submitted_at',
    id: 'k.id',
    permissions: [],
    select: { subject: `'${step}'`, attemptNumber: 'k.attempt_number' },
  })),
  {
    kind: 'kyc',
    type: quoteType('kyc_submitted'),
    rows: 'FROM kyc_submissions s WHERE s.member_id = $1',
    at: 's.submitted_at',
    id: 's.id',
    permissions: [],
    select: { attemptNumber: 's.attempt_number' },
  },
  {
    kind: 'kyc',
    type: 'a.action',
    rows: auditOf({ type: 'user', id: '$1' }, ['approve_kyc', 'reject_kyc', 'reset_kyc']),
    // A decision that was made before it came here has the time at which it was made.
    at: `coalesce((a.details->>'decidedAt')::timestamptz, a.created_at)`,
    id: 'a.id',
    permissions: [],
    select: {
      actor: 'a.actor_name',
      attemptNumber: `(a.details->>'attemptNumber')::int`,
      text: `coalesce(${details}->>'rejectionReason', ${details}->>'adminNotes')`,
    },
  },
  {
    kind: 'kyc',
    type: 'a.action',
    rows: auditOf({ type: 'user', id: '$1' }, ['ask_another_look', 'end_another_look']),
    at: 'a.created_at',
    id: 'a.id',
    permissions: ['kyc.view'],
    select: { actor: 'a.actor_name', attemptNumber: `(a.details->>'attemptNumber')::int`, text: `${details}->>'note'` },
  },
]

const transferFields: EntryFields = {
  amount: 'c.amount::text',
  unit: 'c.token_symbol',
  state: 'c.status',
  link: buildLink('chain_transaction', 'c.transaction_hash', 'c.transaction_hash'),
}

const transferSources: Source[] = [
  {
    kind: 'transfers',
    type: quoteType('wallet_added'),
    rows: 'FROM wallets w WHERE w.member_id = $1',
    at: 'w.created_at',
    id: 'w.id',
    permissions: ['transactions.view'],
    select: { text: 'w.address' },
  },
  {
    kind: 'transfers',
    type: quoteType('account_transaction'),
    rows: 'FROM platform_transactions p WHERE p.member_id = $1',
    at: 'p.created_at',
    id: 'p.id',
    permissions: ['transactions.view'],
    select: { subject: 'p.type', amount: 'p.amount::text', state: 'p.status' },
  },
  {
    kind: 'transfers',
    type: quoteType('chain_transfer'),
    rows: 'FROM wallets w JOIN chain_transactions c ON c.wallet_address = w.address WHERE w.member_id = $1',
    at: 'c.created_at',
    id: 'c.id',
    permissions: ['transactions.view'],
    select: { ...transferFields, subject: 'c.transaction_type' },
  },
  {
    kind: 'transfers',
    type: quoteType('chain_transfer'),
    // Between two own wallets it stands once, as above.
    rows: `FROM wallets w JOIN chain_transactions c ON c.to_address = w.address
      WHERE w.member_id = $1 AND NOT EXISTS (SELECT FROM wallets n WHERE n.address = c.wallet_address AND n.member_id = $1)`,
    at: 'c.created_at',
    id: 'c.id',
    permissions: ['transactions.view'],
    select: { ...transferFields, subject: `'deposit'` },
  },
]

const auditSources: Source[] = [
  {
    kind: 'bans',
    type: 'a.action',
    rows: auditOf({ type: 'user', id: '$1' }, ['ban_user', 'unban_user']),
    at: 'a.created_at',
    id: 'a.id',
    permissions: [],
    select: { actor: 'a.actor_name', text: `${details}->>'reason'` },
  },
  {
    kind: 'views',
    type: quoteType('view_document'),
    rows: auditOf({ type: 'user', id: '$1' }, ['view_document']),
    at: 'a.created_at',
    id: 'a.id',
    permissions: ['audit.view'],
    select: { actor: 'a.actor_name', subject: `a.details->>'kind'` },
  },
  {
    kind: 'views',
    type: quoteType('view_member'),
    // Once an operator and day (UTC). Nobody needs to be told of an own view.
    rows: `FROM (SELECT admin_id, date_trunc('day', at, 'UTC') AS day, max(at) AS at, count(*) AS times FROM data_access
        WHERE target = $1 AND rows > 0 AND admin_id <> $5 GROUP BY 1, 2) d
      JOIN admins w ON w.id = d.admin_id WHERE true`,
    at: 'd.at',
    id: `d.admin_id || '.' || to_char(d.day AT TIME ZONE 'UTC', 'YYYYMMDD')`,
    permissions: ['audit.view'],
    select: { actor: 'w.username', subject: 'd.times' },
  },
  {
    kind: 'profile',
    type: 'a.action',
    rows: auditOf({ type: 'user', id: '$1' }, ['update_member', 'place_legal_hold', 'lift_legal_hold', 'erase_member']),
    at: 'a.created_at',
    id: 'a.id',
    permissions: [],
    select: { actor: 'a.actor_name', fields: `CASE a.action WHEN 'update_member' THEN ${changedFields} END` },
  },
]

const memberMessages: Source[] = (['out', 'in'] as const).map((direction) => ({
  kind: 'messages',
  type: quoteType(direction === 'out' ? 'message_sent' : 'message_received'),
  rows: `FROM messages g WHERE g.entity_id = $1 AND g.entity_type = 'member' AND g.direction = '${direction}'`,
  at: 'g.created_at',
  id: 'g.id',
  permissions: ['messages.view'],
  select: messageFields(),
}))

const joined: Source = {
  kind: 'profile',
  type: quoteType('joined'),
  rows: 'FROM members m WHERE m.id = $1',
  at: 'm.created_at',
  id: 'm.id',
  permissions: [],
  select: {},
}

/**
 * What can happen to a member, `$1`. Of entries of the same time those of a later source are newer, so that a decision
 * is after its submission.
 */
export const memberSources: readonly Source[] = [
  joined,
  ...auditSources,
  ...kycSources,
  ...transferSources,
  ...buildOrderSources('o.member_id = $1'),
  ...memberMessages,
  noteSource('n.member_id = $1 AND n.order_id IS NULL', []),
  noteSource('n.member_id = $1 AND n.order_id IS NOT NULL', ['orders.view']),
]
