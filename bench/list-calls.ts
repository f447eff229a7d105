import type pg from 'pg'
import type { ListSizes } from './seed-lists.ts'

/** A list or a figure, and the most that its p50 may be, in ms with eight calls at once on two processors, at full size. */
export type ListCall = [name: string, path: string, aim: number]

const deep = (rows: number) => Math.max(2, Math.floor(rows / 100))

const calls: ListCall[] = [
  ['users', '/api/users?page=1', 15],
  ['user detail', '/api/users/m-77', 8],
  ['activity of a member with 10,000 entries', '/api/users/m-88/activity', 50],
  ['Peek of a member with 10,000 entries', '/api/users/m-88/peek', 60],
  ['what a member has in common', '/api/users/m-77/links', 50],
  ['users, search (an id)', '/api/users?search=m-4242', 20],
  ['users, search (two letters)', '/api/users?search=an', 30],
  ['users, banned', '/api/users?kycBanned=true', 15],
  ['users, search (a surname)', '/api/users?search=johnson', 60],
  ['users, search (name and surname)', '/api/users?search=lukasz%20kowalski', 60],
  ['users, search, its exact total', '/api/users?search=johnson&total=exact', 250],
  ['orders', '/api/orders', 15],
  ['orders, waiting for payment', '/api/orders?status=waiting_payment', 15],
  ['orders, expiring', '/api/orders?expiring=24h', 60],
  ['orders, search (a project)', '/api/orders?search=harbour', 60],
  ['chain transactions', '/api/blockchain-transactions', 15],
  ['chain transactions, failed', '/api/blockchain-transactions?status=failed', 15],
  ['chain transactions, figures', '/api/blockchain-transactions/figures', 10],
  [
    'chain transactions of a token',
    `/api/blockchain-transactions?status=completed&tokenAddress=0x${'3'.repeat(40)}`,
    60,
  ],
  ['platform transactions', '/api/transactions', 15],
  ['platform transactions, failed withdrawals', '/api/transactions?type=withdrawal&status=failed', 15],
  ['platform transactions of today', '/api/transactions?created=today&timeZone=Asia/Tokyo', 20],
  ['platform transactions of a member', '/api/transactions?userId=m-77', 10],
  ['platform transactions, search (a surname)', '/api/transactions?search=johnson', 60],
  ['platform transactions, search (an id)', '/api/transactions?search=t-4242', 20],
  ['tokens', '/api/tokens/earning', 10],
  ['submissions', '/api/kyc/submission-history', 15],
  ['submissions, undecided', '/api/kyc/submission-history?undecided=true', 20],
  ['submissions, under review', '/api/kyc/submission-history?status=under_review', 15],
  ['submissions, search (a surname)', '/api/kyc/submission-history?search=johnson', 60],
  ['verifications, pending', '/api/kyc/verifications?status=pending', 15],
  ['verifications, search (a surname)', '/api/kyc/verifications?search=johnson', 60],
  ['step 2 history', '/api/kyc/step2-history', 15],
  ['step 3 history', '/api/kyc/step3-history', 15],
  ['step 4 history, search (a surname)', '/api/kyc/step4-history?search=johnson', 60],
  ['KYC figures', '/api/kyc/analytics', 10],
  ['webhook logs', '/api/kyc/webhook-logs', 15],
  ['webhook figures', '/api/kyc/webhook-stats', 15],
  ['security events', '/api/security/events?resolved=false', 15],
  ['security events, resolved', '/api/security/events?resolved=true', 15],
  ['orders of a member', '/api/orders?userId=m-77', 10],
  ['security figures', '/api/security/figures', 10],
  ['admin logs', '/api/admin/logs', 15],
  ['admin logs, KYC actions', '/api/admin/logs?action=approve_kyc', 15],
  ['bank accounts', '/api/bank/accounts', 60],
  ['bank statements', '/api/bank/statements', 20],
  ['bank lines', '/api/bank/lines', 20],
  ['bank lines, work', '/api/bank/lines?work=todo', 60],
  ['bank lines of an account, open', '/api/bank/lines?accountId=2&state=open', 20],
  ['bank lines, overdue', '/api/bank/lines?attention=overdue', 60],
  ['bank lines, money on ended orders', '/api/bank/lines?attention=ended_order', 10],
  ['bank lines, refunds due', '/api/bank/lines?attention=refund_due', 60],
  ['bank statements, gaps', '/api/bank/statements?attention=gap', 10],
  ['bank lines, search (a surname)', '/api/bank/lines?search=johnson', 60],
  ['bank lines, search (an amount)', '/api/bank/lines?search=1234.50', 40],
  ['dashboard figures', '/api/analytics', 40],
  ['notices', '/api/notices', 60],
  ['search everywhere', '/api/search?q=johnson', 120],
]

const listSizedCalls = (sizes: ListSizes): ListCall[] => [
  [`users, page ${deep(sizes.members)}`, `/api/users?page=${deep(sizes.members)}`, 50],
  ['users, search (an e-mail)', `/api/users?search=.${sizes.members - 7}@`, 20],
  [`orders, page ${deep(sizes.orders)}`, `/api/orders?page=${deep(sizes.orders)}`, 50],
  ['orders, search (a number)', `/api/orders?search=ord-000${deep(sizes.orders)}`, 60],
  [
    `chain transactions, page ${deep(sizes.chainTransactions)}`,
    `/api/blockchain-transactions?page=${deep(sizes.chainTransactions)}`,
    50,
  ],
  [
    `platform transactions, page ${deep(sizes.platformTransactions)}`,
    `/api/transactions?page=${deep(sizes.platformTransactions)}`,
    50,
  ],
  ['platform transactions, search (an e-mail)', `/api/transactions?search=.${sizes.members - 7}@`, 20],
  [
    `submissions, page ${deep(sizes.members) / 2}`,
    `/api/kyc/submission-history?page=${Math.floor(deep(sizes.members) / 2)}`,
    50,
  ],
  ['submissions, search (an e-mail)', `/api/kyc/submission-history?search=.${sizes.members - 7}@`, 20],
  [`admin logs, page ${deep(sizes.auditRows)}`, `/api/admin/logs?page=${deep(sizes.auditRows)}`, 50],
  [`bank lines, page ${deep(sizes.bankLines)}`, `/api/bank/lines?page=${deep(sizes.bankLines)}`, 60],
  ['bank lines, search (an order number)', `/api/bank/lines?search=ord-000${deep(sizes.bankLines)}`, 100],
]

/** By name, so that what belongs together stands together. */
export const listCalls = (sizes: ListSizes): ListCall[] =>
  [...calls, ...listSizedCalls(sizes)].toSorted(([one], [other]) => one.localeCompare(other))

/** SQL of the least that a screen needs, and how many times as many requests a second it may answer in the minimal handler. */
export const listFloors = (sizes: ListSizes): Record<string, { most: number; query: pg.QueryConfig }> => ({
  'user detail': {
    most: 1.8,
    query: {
      name: 'floor_detail',
      values: ['m-77'],
      text: `SELECT m.*,
        (SELECT coalesce(json_agg(w), '[]') FROM (SELECT id, address, created_at FROM wallets
          WHERE member_id = $1 ORDER BY created_at DESC LIMIT 100) w) AS wallets,
        (SELECT coalesce(json_agg(t), '[]') FROM (SELECT id, type, amount, status, created_at FROM platform_transactions
          WHERE member_id = $1 ORDER BY created_at DESC LIMIT 100) t) AS transactions,
        (SELECT coalesce(json_agg(s), '[]') FROM (SELECT id, attempt_number, result, case_id, submitted_at FROM kyc_submissions
          WHERE member_id = $1 ORDER BY submitted_at DESC LIMIT 100) s) AS submissions,
        (SELECT coalesce(json_agg(c), '[]') FROM (SELECT c.id, transaction_hash, token_symbol, amount, project_name, c.created_at
          FROM wallets w JOIN chain_transactions c ON c.wallet_address = w.address
          WHERE w.member_id = $1 ORDER BY c.created_at DESC LIMIT 100) c) AS chain
        FROM members m WHERE m.id = $1`,
    },
  },
  'users, search (an e-mail)': {
    most: 1.4,
    query: {
      values: [`.${sizes.members - 7}@`],
      text: `WITH h AS MATERIALIZED (SELECT * FROM members WHERE search LIKE search_pattern($1)
          ORDER BY created_at DESC, id DESC LIMIT 1001)
        SELECT id, email, legal_first_name, legal_last_name, legal_phone, membership_id, kyc_status, banned, banned_reason, kyc_completed,
          kyc_current_step, kyc_document_type, kyc_submission_count, created_at, version, (SELECT count(*) FROM h) AS total
        FROM h ORDER BY created_at DESC, id DESC LIMIT 50`,
    },
  },
})
