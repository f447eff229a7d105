import { formatMoney } from '#server/db/select.ts'
import { beginsOn } from './attention.ts'

/** Statements whose balances are those of a day, as the indexes `bank_statements_first` and `bank_statements_last` have them. */
const ofAccount = (name: string) => `bank_statements ${name}
  WHERE ${name}.account_id = a.id AND ${name}.kind IN ('camt.053', 'MT940', 'CSV') AND ${name}.opening IS NOT NULL AND ${name}.closing IS NOT NULL`
/** Of those that begin on the first day, the one that continues none. Only these few are compared. */
const first = `SELECT s.id, s.opening, ${beginsOn('s')} AS day FROM ${ofAccount('s')}
    AND ${beginsOn('s')} = (SELECT min(${beginsOn('d')}) FROM ${ofAccount('d')})
  ORDER BY EXISTS (SELECT FROM ${ofAccount('b')} AND b.id <> s.id AND b.closing = s.opening
    AND b.opening <> s.opening AND ${beginsOn('b')} <= ${beginsOn('s')}), s.ends_on, s.sequence NULLS FIRST, s.id LIMIT 1`

/** Of those that end on the last day, the one that none continues. */
const last = `SELECT s.id, s.closing, s.ends_on AS day FROM ${ofAccount('s')} AND s.ends_on = (SELECT max(d.ends_on) FROM ${ofAccount('d')})
  ORDER BY EXISTS (SELECT FROM ${ofAccount('b')} AND b.id <> s.id AND b.opening = s.closing
    AND b.closing <> s.closing AND b.ends_on >= s.ends_on), s.sequence DESC NULLS LAST, s.id DESC LIMIT 1`

/** The first or last instant that lines of a statement are listed at. */
const listedAt = (of: string, edge: 'min' | 'max') => `(SELECT ${edge}(x.listed_at) FROM bank_statement_lines m
  JOIN bank_lines x ON x.id = m.line_id WHERE m.statement_id = ${of}.id AND x.booking = 'booked')`
const dayStart = (day: string) => `${day}::timestamp AT TIME ZONE 'UTC'`

/** Lines before the first of these statements, and after the last. They are few, and found by the index of an account's lines. */
const outside = (
  sign: '<' | '>',
  bound: string,
  direction: 'credit' | 'debit',
) => `coalesce((SELECT sum(o.amount) FROM bank_lines o
  WHERE o.account_id = a.id AND o.listed_at ${sign} ${bound} AND o.booking = 'booked' AND o.direction = '${direction}'), 0)`

const inside = (name: 'credits' | 'debits', direction: 'credit' | 'debit') =>
  `coalesce((f.booked ->> '${name}')::numeric, 0) - ${outside('<', 'w.since', direction)} - ${outside('>', 'w.until', direction)}`

/** What operators have accepted: the sums of gaps, and what the bank's balances have more than its lines. */
const accepted = `coalesce((SELECT sum(CASE WHEN t.gap_known_at IS NOT NULL THEN coalesce(t.jump, 0) ELSE 0 END
    - CASE WHEN t.difference_known_at IS NOT NULL THEN t.difference ELSE 0 END)
  FROM bank_statements t WHERE t.account_id = a.id AND (t.gap_known_at IS NOT NULL OR t.difference_known_at IS NOT NULL)), 0)`

/**
 * The account's own sum: from the first opening balance to the last closing balance, over all lines between them, each counted once.
 * `a` is the account, `f` its figures. Null where no statement has balances.
 */
export const proof = `SELECT json_build_object('opening', ${formatMoney('p.opening')}, 'openingOn', p.opening_on::text,
    'credits', ${formatMoney('p.credits')}, 'debits', ${formatMoney('p.debits')}, 'accepted', ${formatMoney('p.accepted')},
    'closing', ${formatMoney('p.closing')}, 'closingOn', p.closing_on::text,
    'difference', ${formatMoney('(p.opening + p.credits - p.debits + p.accepted - p.closing)')}) AS proof
  FROM (SELECT w.*, ${inside('credits', 'credit')} AS credits, ${inside('debits', 'debit')} AS debits, ${accepted} AS accepted
    FROM (SELECT b.opening, b.day AS opening_on, e.closing, e.day AS closing_on,
        coalesce(${listedAt('b', 'min')}, ${dayStart('b.day')}) AS since, greatest(${dayStart('e.day')}, ${listedAt('e', 'max')}) AS until
      FROM (${first}) b, (${last}) e) w
    -- So that each sum is computed once, however often it is read.
    OFFSET 0) p`
