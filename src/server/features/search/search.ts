import { searchPermissions, type SearchGroup, mostHits } from '#contract/search.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { invalidField } from '#server/lib/errors.ts'
import { parseSearchText, type SearchTerms } from '#server/search/search-terms.ts'
import { paysOrder } from '#server/features/bank/service.ts'
import { noteColumns, noteTables } from '#server/features/notes/service.ts'
import {
  findMembers,
  findMessages,
  findOrders,
  findPlatformTransactions,
  findTokens,
  findTransactions,
  selectMembers,
  selectOrders,
  selectName,
} from './statements.ts'
import {
  type Statement,
  combineMatches,
  createParameters,
  matchAmount,
  matchWords,
  maxRanked,
  newestFirst,
} from './matches.ts'

/** Notes on what the admin may view, by their words. */
function findNotes(ctx: Ctx, { text, isWhole, isIndexed }: SearchTerms): Statement | null {
  const subjects = [
    ...(hasPermission(ctx, 'bank.view') ? ['bank_line_id IS NOT NULL'] : []),
    ...(hasPermission(ctx, 'members.view') ? ['order_id IS NULL AND bank_line_id IS NULL'] : []),
    ...(hasPermission(ctx, 'orders.view') ? ['order_id IS NOT NULL'] : []),
  ]
  if (isWhole || subjects.length === 0) return null
  const visible = `(SELECT id, created_at, search FROM notes WHERE ${subjects.join(' OR ')})`
  const given = createParameters(text)
  const { id, userId, bankLineId, order, author, createdAt } = noteColumns
  return {
    text: `SELECT ${id}, ${userId} AS "userId", ${bankLineId} AS "bankLineId",
        CASE WHEN m.id IS NOT NULL THEN ${selectName('m')} END AS "userName",
        ${order} AS "order", n.text, ${author} AS author,
        ${createdAt} AS "createdAt"
      ${noteTables} LEFT JOIN members m ON m.id = n.member_id
        JOIN ${combineMatches([matchWords(visible, isIndexed)])} ON f.id = n.id
      ORDER BY f.rank, n.created_at DESC, n.id DESC LIMIT ${mostHits}`,
    values: given.values,
  }
}

/** The lines as other rows are ranked: the newest by the day that their lists are ordered by. */
const lines = '(SELECT id, listed_at AS created_at, amount, currency, direction, search FROM bank_lines)'

/** As the index has it, which holds no more of a text. */
const plainAccount = 'left(plain_code(payer_account), 34) COLLATE "C"'

/** The newest lines whose payer's account begins with an IBAN, however it is written. */
const matchPayerAccount = (given: string) =>
  // `[` is the character after `Z`.
  `(SELECT id, 1 FROM (SELECT id, listed_at AS created_at FROM bank_lines
    WHERE ${plainAccount} >= ${given} AND ${plainAccount} < ${given} || '[' LIMIT ${maxRanked}) t
    ORDER BY ${newestFirst} LIMIT ${mostHits})`

/** The newest lines that are work and may pay the order that the text names. */
const matchOrder = `(SELECT t.id, 1 AS rank FROM (SELECT id, listed_at AS created_at FROM bank_lines t WHERE ${paysOrder('$1')}) t
  ORDER BY ${newestFirst} LIMIT ${mostHits})`

/** The line's references, those of the payer first. */
const references = `array_remove(t.structured || ARRAY[t.end_to_end_id, t.mandate_id, t.bank_reference, t.uetr], NULL)`

/** Lines by payer, account, reference, text or amount, as their list finds them. */
function findBankLines(terms: SearchTerms): Statement | null {
  const { text, isWhole, isIndexed, isCode, signedAmount: amount, iban } = terms
  if (isWhole) return null
  const given = createParameters(text)
  const ofCurrency = amount?.currency ? `AND t.currency = ${given.add(amount.currency)}` : ''
  const ofSign = amount?.sign ? `AND t.direction = ${given.add(amount.sign === '-' ? 'debit' : 'credit')}` : ''
  const ways = [
    ...matchAmount(lines, 'amount', { ...terms, amount }, given, `${ofCurrency} ${ofSign}`),
    matchWords(lines, isIndexed),
  ]
  if (iban) ways.push(matchPayerAccount(given.add(iban)))
  if (isCode) ways.push(matchOrder)
  return {
    text: `SELECT t.id::text, t.account_id::text AS "accountId", a.name AS "accountName", t.booked_on::text AS "bookedOn",
        t.direction, t.amount::text, t.currency, t.state,
        json_build_object('name', t.payer_name, 'account', t.payer_account) AS payer,
        array_to_string(CASE WHEN cardinality(t.remittance) > 0 THEN t.remittance ELSE t.info END, ' ') AS text,
        ${references} AS "references"
      FROM ${combineMatches(ways)} JOIN bank_lines t ON t.id = f.id
        JOIN bank_accounts a ON a.id = t.account_id
      ORDER BY f.rank, t.listed_at DESC, t.id DESC LIMIT ${mostHits}`,
    values: given.values,
  }
}

/** The hits of every group, in parallel. A group without a statement, or that the admin may not view, has none. */
async function readGroups(ctx: Ctx, statements: Partial<Record<SearchGroup, Statement | null>>): Promise<SearchReply> {
  const find = async <Group extends SearchGroup>(group: Group) => {
    const statement = statements[group]
    if (!statement || !hasPermission(ctx, searchPermissions[group])) return []
    return (await ctx.reads.query<SearchReply[Group][number]>(statement)).rows
  }
  const [members, orders, bankLines, notes, platformTransactions, transactions, tokens, messages] = await Promise.all([
    find('members'),
    find('orders'),
    find('bankLines'),
    find('notes'),
    find('platformTransactions'),
    find('transactions'),
    find('tokens'),
    find('messages'),
  ])
  return { members, orders, bankLines, notes, platformTransactions, transactions, tokens, messages }
}

/** The best hits of each kind: exact matches first, then matches at the beginning, then the newest. */
export async function search(ctx: Ctx, q: string): Promise<SearchReply> {
  const terms = parseSearchText(q)
  if (terms.text === '') throw invalidField('q', 'must not be blank')
  return readGroups(ctx, {
    members: findMembers(terms),
    orders: findOrders(terms),
    bankLines: findBankLines(terms),
    notes: findNotes(ctx, terms),
    platformTransactions: findPlatformTransactions(terms),
    transactions: findTransactions(terms),
    tokens: findTokens(terms),
    messages: findMessages(terms),
  })
}

/** Members and orders that an operator opened recently, in the order of the ids. */
export const findRecent = (ctx: Ctx, ids: { members: string[]; orders: string[] }): Promise<SearchReply> =>
  readGroups(ctx, {
    members: ids.members.length > 0 ? selectMembers(ids.members) : null,
    orders: ids.orders.length > 0 ? selectOrders(ids.orders) : null,
  })
