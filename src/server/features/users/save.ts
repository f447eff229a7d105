import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { MemberBody } from '#contract/schemas/platform.ts'
import { auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  changed,
  insertRows,
  play,
  recordset,
  staleChange,
  textArray,
  type Outcome,
  type Precondition,
} from '#server/core/upsert.ts'

export type MemberItem = { id: string } & z.output<typeof MemberBody>

type MemberRow = {
  id: string
  email: string
  legalFirstName: string | null
  legalLastName: string | null
  legalPhone: string | null
  createdAt: string | null
  version: number
}

const auditedFields = ['email', 'legalFirstName', 'legalLastName'] as const

/**
 * Creates and updates members by the platform's own ids (product 10.2), each item as if served alone and in order.
 * Changes of name and e-mail are audited; creations are the caller's to audit.
 */
export async function saveMembers(
  tx: Tx,
  ctx: Ctx,
  items: readonly MemberItem[],
  precondition?: Precondition,
): Promise<Outcome[]> {
  const stored = await lockMembers(tx, items)
  const { keyOf, holders } = await readEmails(tx, items, stored)
  const audits: AuditEntry[] = []
  const { outcomes, inserts, updates } = play(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      const key = keyOf.get(item.email)
      const holder = key === undefined ? undefined : holders.get(key)
      if (holder !== undefined && holder !== item.id)
        return new AppError('email_taken', 'email: another member already has this e-mail')
      if (!present) {
        const stale = staleChange('member', precondition, present)
        if (stale) return stale
        holders.set(key!, item.id)
        return newRow(item)
      }
      const { email, createdAt } = item
      const after = changed<MemberRow>(present, { email, createdAt, ...textsOf(item) })
      if (after === present) return present
      const stale = staleChange('member', precondition, present)
      if (stale) return stale
      if (key !== undefined) {
        holders.delete(keyOf.get(present.email) ?? '')
        holders.set(key, item.id)
      }
      const audit = nameChange(present, after)
      if (audit) audits.push(audit)
      return { ...after, version: present.version + 1 }
    },
  )
  await updateMembers(tx, updates)
  await insertMembers(tx, inserts)
  await auditAll(tx, ctx, audits)
  return outcomes
}

/** An empty text is none; what is absent stays absent. */
const cleared = (text: string | null | undefined) => (text === '' ? null : text)
const textsOf = ({ legalFirstName, legalLastName, legalPhone }: MemberItem) => ({
  legalFirstName: cleared(legalFirstName),
  legalLastName: cleared(legalLastName),
  legalPhone: cleared(legalPhone),
})

function newRow(item: MemberItem): MemberRow {
  const { legalFirstName = null, legalLastName = null, legalPhone = null } = textsOf(item)
  const { id, email, createdAt = null } = item
  return { id, email, legalFirstName, legalLastName, legalPhone, createdAt, version: 1 }
}

function nameChange(present: MemberRow, after: MemberRow): AuditEntry | undefined {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  if (fields.length === 0) return undefined
  const pick = (row: MemberRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_member',
    target: { type: 'user', id: present.id },
    details: { before: pick(present), after: pick(after) },
  }
}

async function lockMembers(tx: Tx, items: readonly MemberItem[]) {
  const found = await tx.execute<MemberRow & { createdAt: string }>(sql`
    SELECT id, email, legal_first_name AS "legalFirstName", legal_last_name AS "legalLastName",
      legal_phone AS "legalPhone", created_at AS "createdAt", version
    FROM members WHERE id = ANY(${textArray(items.map((item) => item.id))}) ORDER BY id FOR NO KEY UPDATE`)
  return new Map(
    found.rows.map((row): [string, MemberRow] => [row.id, { ...row, createdAt: toInstant(row.createdAt) }]),
  )
}

/** How PostgreSQL folds each e-mail that the items or their members hold, and which member has it now. */
async function readEmails(tx: Tx, items: readonly MemberItem[], stored: ReadonlyMap<string, MemberRow>) {
  const keyOf = new Map<string, string>()
  const holders = new Map<string, string>()
  // Nobody takes an e-mail or gives one up: mostly so when the platform says again what it said before.
  if (items.every(({ id, email }) => stored.get(id)?.email === email)) return { keyOf, holders }
  const found = await tx.execute<{ email: string; key: string; holder: string | null }>(sql`
    SELECT given.email, lower(given.email) AS key, holder.id AS holder
    FROM unnest(${textArray([...items, ...stored.values()].map(({ email }) => email))}) AS given(email)
    LEFT JOIN members AS holder ON lower(holder.email) = lower(given.email)`)
  for (const { email, key, holder } of found.rows) {
    keyOf.set(email, key)
    if (holder !== null) holders.set(key, holder)
  }
  return { keyOf, holders }
}

async function updateMembers(tx: Tx, rows: readonly MemberRow[]) {
  if (rows.length === 0) return
  await tx.execute(sql`
    UPDATE members AS m SET email = r.email, legal_first_name = r."legalFirstName",
      legal_last_name = r."legalLastName", legal_phone = r."legalPhone", created_at = r."createdAt", version = r.version
    FROM ${recordset(rows)} AS r(id text, email text, "legalFirstName" text, "legalLastName" text,
      "legalPhone" text, "createdAt" timestamptz, version int)
    WHERE m.id = r.id`)
}

async function insertMembers(tx: Tx, rows: readonly MemberRow[]) {
  if (rows.length === 0) return
  await insertRows(
    tx,
    rows.length,
    sql`
    INSERT INTO members (id, email, legal_first_name, legal_last_name, legal_phone, created_at, version)
    SELECT r.id, r.email, r."legalFirstName", r."legalLastName", r."legalPhone", coalesce(r."createdAt", now()), r.version
    FROM ${recordset(rows)} AS r(id text, email text, "legalFirstName" text, "legalLastName" text,
      "legalPhone" text, "createdAt" timestamptz, version int)
    ORDER BY r.id
    ON CONFLICT DO NOTHING`,
  )
}
