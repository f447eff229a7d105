import { sql } from 'drizzle-orm'
import type { BankDirection } from '#contract/bank.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { formatMoney } from '#server/db/select.ts'
import { foldText } from './readers/identity.ts'
import type { Statement } from './readers/statement.ts'

type Kind = Statement['kind']

/** Statements say what the bank has booked; a CSV file is a copy of them; reports of the day say less, and earlier. */
const ranks: Record<Kind, number> = { 'camt.053': 2, MT940: 2, CSV: 1, 'camt.052': 0, 'camt.054': 0, MT942: 0 }

interface BookedLine {
  id: string
  statementId: string
  kinds: Kind[]
  direction: BankDirection
  isReversal: boolean
  amount: string
  allocated: string
  /** Of a transaction of a sum: what names the sum, and the sum itself. */
  entry: string | null
  total: string | null
  account: string | null
  payer: string
  reference: string | null
  endToEndId: string | null
  text: string
}

/** One payment, or all transactions of a sum, as one kind of file has it. */
interface Money {
  lines: BookedLine[]
  /** In units of 1e-5. */
  amount: bigint
  kinds: ReadonlySet<Kind>
  rank: number
  isUsed: boolean
}

const areOfOtherKinds = (one: Money, other: Money) => ![...one.kinds].some((kind) => other.kinds.has(kind))

const toMoney = (lines: BookedLine[]): Money => {
  const kinds = new Set(lines.flatMap((line) => line.kinds))
  return {
    lines,
    amount: lines.reduce((sum, { amount }) => sum + toUnits(amount), 0n),
    kinds,
    rank: Math.max(...[...kinds].map((kind) => ranks[kind])),
    isUsed: lines.some(({ allocated }) => toUnits(allocated) > 0n),
  }
}

const differ = (one: string | null, other: string | null) => one !== null && other !== null && one !== other
const agree = (one: string | null, other: string | null) => one !== null && one === other

/** A text of fewer letters is not evidence. One that is longer than banks pass on is not searched. */
const shortestText = 6
const longestText = 1000
const contains = (one: string, other: string) =>
  other.length >= shortestText && one.length <= longestText && one.includes(other)

/**
 * How surely two lines of equal day, side and amount are one payment; 0 where they are not, or nothing says so. Of one bank's camt
 * files different references are different payments; another format has references of its own.
 */
function compareLines(one: BookedLine, other: BookedLine): number {
  if (differ(one.account, other.account) || differ(one.endToEndId, other.endToEndId)) return 0
  const isCamt = [one, other].every(({ kinds }) => kinds.every((kind) => kind.startsWith('camt')))
  if (isCamt && differ(one.reference, other.reference)) return 0
  if (one.text !== '' && one.text === other.text) return 4
  const isWithin = contains(one.text, other.text) || contains(other.text, one.text)
  // A reference that is the same for all payments must not make one of two, nor must a missing text.
  const isOtherPayer = one.payer !== '' && other.payer !== '' && one.payer !== other.payer
  const isOtherText =
    one.text !== '' && other.text !== '' && !isWithin && (one.payer === '' || one.payer !== other.payer)
  if (agree(one.endToEndId, other.endToEndId)) return 3
  if (agree(one.reference, other.reference) && !isOtherPayer && !isOtherText) return 3
  if (isWithin) return 2
  if (agree(one.account, other.account)) return 1
  return (one.text === '' || other.text === '') && !isOtherPayer ? 1 : 0
}

/** A sum has no payer and often no text, so that its day, side and amount are all there is to tell it by. */
const compare = (one: Money, other: Money): number =>
  one.lines.length === 1 && other.lines.length === 1 ? compareLines(one.lines[0]!, other.lines[0]!) : 1

interface Pair {
  one: Money
  other: Money
}

/** Pairs are searched by text, then by end-to-end id, then by reference, then one by one. */
const passes: ((money: Money) => string | null)[] = [
  ({ lines: [line] }) => line!.text || null,
  ({ lines: [line] }) => line!.endToEndId,
  ({ lines: [line] }) => line!.reference,
  () => '',
]

/** More that look alike on one day are left alone, and so is what would need more comparisons, so that no file keeps the server busy. */
const mostAlike = 1000
const mostComparisons = 20_000_000

/** The comparisons of one call. */
interface Comparison {
  pause: () => Promise<void> | undefined
  left: number
  /** Lines were left alone. */
  isPartial: boolean
}

/** Each line belongs to one pair at most: to the surest, and of equally sure ones to that which stands first. */
async function pairMoney(moneys: readonly Money[], comparison: Comparison): Promise<Pair[]> {
  const taken = new Set<BookedLine>()
  const isFree = ({ lines }: Money) => !lines.some((line) => taken.has(line))
  const pairs: Pair[] = []
  for (const nameOf of passes)
    for (const [name, alike] of Map.groupBy(moneys.filter(isFree), nameOf)) {
      if (name === null || !haveSeveralKinds(alike)) continue
      if (alike.length > mostAlike || alike.length ** 2 > comparison.left) {
        comparison.isPartial = true
        continue
      }
      comparison.left -= alike.length ** 2
      for (const [at, one] of alike.entries()) {
        await comparison.pause()
        const other = isFree(one) ? findSurest(one, alike.slice(at + 1).filter(isFree)) : undefined
        if (!other) continue
        for (const line of [...one.lines, ...other.lines]) taken.add(line)
        pairs.push({ one, other })
      }
    }
  return pairs
}

function findSurest(one: Money, others: readonly Money[]): Money | undefined {
  let surest: { money?: Money; sureness: number } = { sureness: 0 }
  for (const money of others) {
    const sureness = areOfOtherKinds(one, money) ? compare(one, money) : 0
    if (sureness > surest.sureness) surest = { money, sureness }
  }
  return surest.money
}

const haveSeveralKinds = (moneys: readonly Money[]) => moneys.some((money) => areOfOtherKinds(money, moneys[0]!))

/** Payments and sums of equal side and amount. A sum counts where all its transactions are known. */
async function groupMoney(lines: readonly BookedLine[], { pause }: Comparison): Promise<Money[][]> {
  const groups = new Map<string, Money[]>()
  const add = (money: Money) => {
    const { direction, isReversal } = money.lines[0]!
    const name = [direction, isReversal, money.amount].join(' ')
    const group = groups.get(name)
    if (group) group.push(money)
    else groups.set(name, [money])
  }
  for (const line of lines) {
    await pause()
    add(toMoney([line]))
  }
  for (const [entry, transactions] of Map.groupBy(lines, (line) => line.entry)) {
    const { total } = transactions[0]!
    if (entry === null || total === null || transactions.length < 2) continue
    const sum = toMoney(transactions)
    if (sum.amount === toUnits(total)) add(sum)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** Keeps the money that has a purpose, else that of the better kind of file, else the older. Keeps both where both have a purpose. */
function chooseCovered({ one, other }: Pair): { covered: Money; by: Money } | null {
  if (one.isUsed && other.isUsed) return null
  const staysOne = one.isUsed || (!other.isUsed && one.rank >= other.rank)
  return staysOne ? { covered: other, by: one } : { covered: one, by: other }
}

/** The booked lines of one day that are work or were, with the kinds of all files that have them. */
async function readDay(tx: Tx, accountId: string, day: string, { pause }: Comparison): Promise<BookedLine[]> {
  const { rows } = await tx.execute<Omit<BookedLine, 'text'> & { texts: string[] }>(sql`
    SELECT l.id::text, l.statement_id::text AS "statementId", k.kinds, l.direction, l.is_reversal AS "isReversal",
      l.amount::text, l.allocated::text,
      l.statement_id || ':' || coalesce(l.entry_key, l.details -> 'batch' ->> 'total') AS entry,
      l.details -> 'batch' ->> 'total' AS total, l.payer_account AS account,
      coalesce(l.payer_name, '') AS payer, l.bank_reference AS reference,
      l.end_to_end_id AS "endToEndId", l.remittance || l.structured AS texts
    FROM bank_lines l CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT s.kind) AS kinds FROM bank_statement_lines j JOIN bank_statements s ON s.id = j.statement_id
      WHERE j.line_id = l.id OFFSET 0
    ) k
    WHERE l.account_id = ${accountId} AND l.listed_at = ${day}::timestamp AT TIME ZONE 'UTC' AND l.booked_on = ${day}::date
      AND l.booking = 'booked' AND l.covered_by IS NULL
    ORDER BY l.id`)
  const lines: BookedLine[] = []
  for (const { texts, payer, ...line } of rows) {
    await pause()
    lines.push({ ...line, payer: foldText(payer), text: foldText(texts.join('')) })
  }
  return lines
}

async function coverMoney(tx: Tx, { covered, by }: { covered: Money; by: Money }): Promise<void> {
  const ids = covered.lines.map(({ id }) => id)
  await tx.execute(sql`UPDATE bank_lines SET booking = 'info', covered_by = ${by.lines[0]!.statementId}, version = version + 1,
      suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}'
    WHERE id = ANY(${textArray(ids)}::bigint[])`)
}

/** The days on which a statement has booked lines. */
export async function listBookedDays(tx: Tx, statementId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ day: string }>(sql`
    SELECT DISTINCT l.booked_on::text AS day FROM bank_statement_lines j JOIN bank_lines l ON l.id = j.line_id
    WHERE j.statement_id = ${statementId} AND l.booking = 'booked' AND l.booked_on IS NOT NULL ORDER BY 1`)
  return rows.map(({ day }) => day)
}

/** Whether an account has files of several kinds. Within one kind the key of a line tells all. */
async function hasSeveralKinds(tx: Tx, accountId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ several: boolean }>(
    sql`SELECT min(kind) <> max(kind) AS several FROM bank_statements WHERE account_id = ${accountId}`,
  )
  return rows[0]!.several
}

/**
 * A report of the day, the statement of the day and a CSV file have the same payments, but not always with the same references and
 * texts, so that a payment can have a line of each kind of file. Of each such pair only one line is work: the other becomes
 * information (docs/decisions/076). Equal payments of one kind of file stay as many as they are. Answers how many lines became so, and whether
 * some were left alone.
 */
async function coverRepeatedLines(tx: Tx, accountId: string, days: readonly string[]) {
  const comparison: Comparison = { pause: createPauses(), left: mostComparisons, isPartial: false }
  let covered = 0
  for (const day of days)
    for (const group of await groupMoney(await readDay(tx, accountId, day, comparison), comparison))
      for (const choice of (await pairMoney(group, comparison)).map(chooseCovered)) {
        if (!choice) continue
        await coverMoney(tx, choice)
        covered += choice.covered.lines.length
      }
  return { covered, isPartial: comparison.isPartial }
}

/** Lines of reports and CSV files that the statements of their days do not have. */
interface UnconfirmedLines {
  count: number
  credits: string
  debits: string
}

const sumOf = (direction: BankDirection) =>
  sql.raw(formatMoney(`coalesce(sum(amount) FILTER (WHERE direction = '${direction}'), 0)`))

/**
 * What other files say is booked on these days, though a statement has the whole of the day without it. A payment whose sum the statement
 * has is there, though the line of the sum is covered by it.
 */
async function findUnconfirmedLines(tx: Tx, accountId: string, days: readonly string[]): Promise<UnconfirmedLines> {
  const { rows } = await tx.execute<UnconfirmedLines & Record<string, unknown>>(sql`
    SELECT count(*)::int AS count, ${sumOf('credit')} AS credits,
      ${sumOf('debit')} AS debits
    FROM bank_lines l WHERE account_id = ${accountId} AND booking = 'booked' AND covered_by IS NULL
      AND listed_at = ANY(SELECT d::timestamp AT TIME ZONE 'UTC' FROM unnest(${textArray([...days])}::date[]) d)
      AND booked_on IN (SELECT d FROM unnest(${textArray([...days])}::date[]) d WHERE EXISTS (
        SELECT FROM bank_statements s WHERE s.account_id = ${accountId} AND s.kind IN ('camt.053', 'MT940')
          AND s.closing_on >= d AND (s.opening_on < d OR s.opening_on = d AND s.closing_on = d)))
      AND NOT EXISTS (SELECT FROM bank_statement_lines j JOIN bank_statements s ON s.id = j.statement_id
        WHERE j.line_id = l.id AND s.kind IN ('camt.053', 'MT940'))
      AND NOT EXISTS (SELECT FROM bank_lines c JOIN bank_statement_lines j ON j.line_id = c.id JOIN bank_statements s ON s.id = j.statement_id
        WHERE c.account_id = l.account_id AND c.listed_at = l.listed_at AND c.covered_by = l.statement_id AND c.direction = l.direction
          AND c.amount IN (l.amount, (l.details -> 'batch' ->> 'total')::numeric) AND s.kind IN ('camt.053', 'MT940'))`)
  return rows[0]!
}

const groupThousands = (amount: string) => amount.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','))

const tooManyAlike =
  'So many payments of these days are alike that not all were compared with those of other kinds of files: some may count twice'

const countOf = (count: number, one: string, many: string) => (count === 1 ? `1 line ${one}` : `${count} lines ${many}`)

/** Counts each payment of these days once, whatever kinds of files have it, and says what an operator should know of that. */
export async function compareKindsOfFiles(tx: Tx, accountId: string, days: readonly string[]): Promise<string[]> {
  if (days.length === 0 || !(await hasSeveralKinds(tx, accountId))) return []
  const { covered, isPartial } = await coverRepeatedLines(tx, accountId, days)
  const { count, credits, debits } = await findUnconfirmedLines(tx, accountId, days)
  return [
    ...(isPartial ? [tooManyAlike] : []),
    ...(covered > 0 ? [`${countOf(covered, 'is', 'are')} in another kind of file as well, and counted once`] : []),
    ...(count > 0
      ? [
          `${countOf(count, 'of these days is', 'of these days are')} in other files, but not in the bank's statement: ` +
            `${groupThousands(credits)} in, ${groupThousands(debits)} out`,
        ]
      : []),
  ]
}
