import type { MemberDetail } from '#contract/schemas/members.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { type Columns, expressions, jsonObject, type RowOf, selectColumns, selectSums } from '#server/db/select.ts'
import { kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { chainTransactions, fractions, platformTransactions } from '#server/db/tables/transactions.ts'
import { members } from '#server/db/tables/members.ts'
import { wallets } from '#server/db/tables/wallets.ts'
import { notFound } from '#server/lib/errors.ts'
import { memberColumns } from './list.ts'

/** Each array contains at most the newest 100 rows. The page shows the first 10 (product 5.4). */
const maxRows = 100

const step2Columns = {
  id: kycStep2.id,
  attemptNumber: kycStep2.attemptNumber,
  dateOfBirth: kycStep2.dateOfBirth,
  nationality: kycStep2.nationality,
  countryOfResidence: kycStep2.countryOfResidence,
  status: kycStep2.status,
  submittedAt: kycStep2.submittedAt,
}
const step3Columns = {
  id: kycStep3.id,
  attemptNumber: kycStep3.attemptNumber,
  documentType: kycStep3.documentType,
  frontDocumentUrl: kycStep3.frontDocument,
  backDocumentUrl: kycStep3.backDocument,
  status: kycStep3.status,
  submittedAt: kycStep3.submittedAt,
}
const step4Columns = {
  id: kycStep4.id,
  attemptNumber: kycStep4.attemptNumber,
  selfieUrl: kycStep4.selfie,
  status: kycStep4.status,
  submittedAt: kycStep4.submittedAt,
}
const submissionColumns = {
  id: kycSubmissions.id,
  userId: kycSubmissions.memberId,
  attemptNumber: kycSubmissions.attemptNumber,
  result: kycSubmissions.result,
  autoProcessed: kycSubmissions.autoProcessed,
  caseId: kycSubmissions.caseId,
  submittedAt: kycSubmissions.submittedAt,
  rejectionReason: kycVerifications.rejectionReason,
}
const walletColumns = { id: wallets.id, walletAddress: wallets.address, createdAt: wallets.createdAt }
const transactionColumns = {
  id: platformTransactions.id,
  type: platformTransactions.type,
  amount: platformTransactions.amount,
  status: platformTransactions.status,
  createdAt: platformTransactions.createdAt,
}
const chainColumns = {
  id: chainTransactions.id,
  transactionHash: chainTransactions.transactionHash,
  tokenSymbol: chainTransactions.tokenSymbol,
  amount: chainTransactions.amount,
  projectName: chainTransactions.projectName,
  receivedAt: chainTransactions.createdAt,
}
const fractionColumns = {
  id: fractions.id,
  projectName: fractions.projectName,
  amount: fractions.amount,
  tokenAddress: fractions.tokenAddress,
  receivedAt: fractions.receivedAt,
}
const decisionColumns = {
  rejectionReason: members.kycRejectionReason,
  adminNotes: members.kycAdminNotes,
  decidedAttempt: members.kycDecidedAttempt,
  decidedBy: members.kycDecidedBy,
  decidedAt: members.kycDecidedAt,
  bannedBy: members.bannedBy,
  bannedAt: members.bannedAt,
}

type MemberRow = RowOf<typeof memberColumns & typeof decisionColumns>
interface DetailRow extends MemberRow {
  verifiedAttempt: number | null
  step2: Omit<MemberDetail['step2History'][number], 'user'>[]
  step3: MemberDetail['step3History']
  step4: MemberDetail['step4History']
  submissions: Omit<MemberDetail['submissionHistory'][number], 'user'>[]
  wallets: MemberDetail['userWallets']
  transactions: MemberDetail['userTransactions']
  chain: MemberDetail['blockchainTransactions']
  fractions: MemberDetail['userFractions']
  holdings: MemberDetail['holdings']
  orders: number
}

const selectArray = (columns: Columns, at: string, rows: string) =>
  `(SELECT coalesce(json_agg(${jsonObject(columns, 'x')} ORDER BY x.${at} DESC, x.id DESC), '[]') FROM (${rows}) x)`
const selectNewest = (columns: Columns, table: string, at: string) =>
  selectArray(columns, at, `SELECT * FROM ${table} WHERE member_id = $1 ORDER BY ${at} DESC, id DESC LIMIT ${maxRows}`)
// The verification has the reason of an attempt, and keeps it when the next attempt comes.
const newestSubmissions = selectArray(
  submissionColumns,
  'submitted_at',
  `SELECT s.*, v.rejection_reason FROM kyc_submissions s
   LEFT JOIN kyc_verifications v ON v.member_id = s.member_id AND v.attempt_number = s.attempt_number
   WHERE s.member_id = $1 ORDER BY s.submitted_at DESC, s.id DESC LIMIT ${maxRows}`,
)
const countRows = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE member_id = $1)`

// A transfer belongs to a member if their wallet owns or received it. Between two members the sender's wallet owns it.
// The limit per wallet avoids reading any wallet to its end.
const selectNewestTransfers = (address: 'wallet_address' | 'to_address') =>
  `(SELECT id, transaction_hash, token_symbol, amount, project_name, created_at FROM chain_transactions
    WHERE ${address} = w.address ORDER BY created_at DESC, id DESC LIMIT ${maxRows})`
const newestChainTransactions = selectArray(
  chainColumns,
  'created_at',
  `SELECT DISTINCT ON (c.created_at, c.id) c.*
   FROM wallets w CROSS JOIN LATERAL (${selectNewestTransfers('wallet_address')} UNION ALL ${selectNewestTransfers('to_address')}) c
   WHERE w.member_id = $1 ORDER BY c.created_at DESC, c.id DESC LIMIT ${maxRows}`,
)
const chainTransactionCount = `(SELECT count(*) FROM wallets w JOIN chain_transactions c ON c.wallet_address = w.address
  WHERE w.member_id = $1)
  + (SELECT count(*) FROM wallets w JOIN chain_transactions c ON c.to_address = w.address
  WHERE w.member_id = $1 AND NOT EXISTS (
    SELECT FROM wallets o WHERE o.address = c.wallet_address AND o.member_id = $1))`

const memberSelect = selectColumns(expressions({ ...memberColumns, ...decisionColumns }, 'm'))

/** The fractions of the member `$1` by token. A token that is not registered has its address as its unit. */
export const memberHoldings =
  selectSums(`SELECT coalesce(min(t.token_symbol), f.token_address) AS unit, sum(f.amount) AS amount FROM fractions f
    LEFT JOIN LATERAL (SELECT token_symbol FROM tokens t WHERE t.contract_address = f.token_address LIMIT 1) t ON true
    WHERE f.member_id = $1 GROUP BY f.token_address`)

// One statement is one round trip. The name lets PostgreSQL plan it once.
const detailStatement = {
  name: 'member_detail',
  text: `SELECT ${memberSelect},
    (SELECT max(attempt_number) FROM kyc_verifications WHERE member_id = $1) AS "verifiedAttempt",
    ${selectNewest(step2Columns, 'kyc_step2', 'submitted_at')} AS step2,
    ${selectNewest(step3Columns, 'kyc_step3', 'submitted_at')} AS step3,
    ${selectNewest(step4Columns, 'kyc_step4', 'submitted_at')} AS step4,
    ${newestSubmissions} AS submissions,
    ${selectNewest(walletColumns, 'wallets', 'created_at')} AS wallets,
    ${selectNewest(transactionColumns, 'platform_transactions', 'created_at')} AS transactions,
    ${selectNewest(fractionColumns, 'fractions', 'received_at')} AS fractions,
    ${newestChainTransactions} AS chain, ${memberHoldings} AS holdings, ${countRows('orders')} AS orders
    FROM members m WHERE m.id = $1`,
}

const totalsStatement = {
  name: 'member_totals',
  text: `SELECT ${countRows('wallets')} AS "userWallets", ${countRows('platform_transactions')} AS "userTransactions",
    (${chainTransactionCount})::int AS "blockchainTransactions", ${countRows('fractions')} AS "userFractions"`,
}

type Totals = MemberDetail['totals']

/** Rows are counted only where an array is full: the counts cost a fifth of the statement, and few members have so many. */
async function countTotals({ database }: Ctx, row: DetailRow): Promise<Totals> {
  const { orders } = row
  const listed = {
    userWallets: row.wallets.length,
    userTransactions: row.transactions.length,
    blockchainTransactions: row.chain.length,
    userFractions: row.fractions.length,
  }
  if (Object.values(listed).every((length) => length < maxRows)) return { ...listed, orders }
  const { rows } = await database.pool.query<Omit<Totals, 'orders'>>({ ...totalsStatement, values: [row.id] })
  return { ...rows[0]!, orders }
}

/** The last decision. Null if nobody has decided and nothing waits for a decision. */
function readVerification(row: DetailRow): MemberDetail['kycVerification'] {
  const { rejectionReason, adminNotes, decidedBy, decidedAt } = row
  if (!decidedAt && !row.verifiedAttempt) return null
  const attemptNumber = decidedAt ? row.decidedAttempt : row.verifiedAttempt
  return { rejectionReason, adminNotes, attemptNumber, decidedBy, decidedAt }
}

/** Omits the transactions and orders of a member where the admin may not view them. */
function withoutForbidden(ctx: Ctx, detail: MemberDetail): MemberDetail {
  const shown = { ...detail, totals: { ...detail.totals } }
  if (!hasPermission(ctx, 'transactions.view')) {
    Object.assign(shown, { userTransactions: [], blockchainTransactions: [] })
    Object.assign(shown.totals, { userTransactions: 0, blockchainTransactions: 0 })
  }
  if (!hasPermission(ctx, 'orders.view')) shown.totals.orders = 0
  return shown
}

/** Reads what the admin may view of a member (product 6.2, User detail response). Throws not_found. */
export async function getMemberDetail(ctx: Ctx, id: string): Promise<MemberDetail> {
  const { rows } = await ctx.database.pool.query<DetailRow>({ ...detailStatement, values: [id] })
  const [row] = rows
  if (!row) throw notFound('User')
  const { email, legalFirstName, legalLastName, kycBanned, bannedReason, bannedAt, bannedBy } = row
  const member = { id, email, legalFirstName, legalLastName, kycBanned, bannedReason }
  return withoutForbidden(ctx, {
    user: row,
    kycVerification: readVerification(row),
    step2History: row.step2.map((step) => ({ ...step, user: member })),
    step3History: row.step3,
    step4History: row.step4,
    submissionHistory: row.submissions.map((submission) => ({ ...submission, user: member })),
    userWallets: row.wallets,
    userTransactions: row.transactions,
    blockchainTransactions: row.chain,
    userFractions: row.fractions,
    holdings: row.holdings,
    banInfo:
      bannedReason !== null && bannedAt !== null && bannedBy !== null
        ? { reason: bannedReason, bannedAt, bannedBy }
        : null,
    totals: await countTotals(ctx, row),
  })
}
