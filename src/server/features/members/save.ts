import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { MemberBody } from '#contract/schemas/platform.ts'
import { auditAll, type AuditEntry } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { members } from '#server/db/tables/members.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { insertRows, updateRows, type WrittenRow } from '#server/db/write.ts'
import { AppError } from '#server/lib/errors.ts'
import { textArray } from '#server/db/parameters.ts'
import {
  applyChange,
  applyItems,
  checkPrecondition,
  erasedMemberError,
  type Outcome,
  type Precondition,
} from '#server/core/upsert.ts'

export type MemberItem = { id: string } & z.output<typeof MemberBody>

/** What the platform may write. */
const platformColumns = {
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
  legalPhone: members.legalPhone,
  createdAt: members.createdAt,
}
const changeableColumns = { ...platformColumns, version: members.version }
const writtenColumns = { id: members.id, ...changeableColumns }

/** A member in memory. `createdAt` is absent until it is stored. */
type MemberRow = WrittenRow<typeof writtenColumns> & { version: number }

const auditedFields = ['email', 'legalFirstName', 'legalLastName'] as const

/**
 * Creates and updates members by the platform's ids (product 10.2), as if each item was sent alone and in order. Writes
 * audit rows of changed names and e-mails. The caller audits creations.
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
  const erased = await findErased(tx, stored)
  const { outcomes, inserts, updates } = applyItems(
    items,
    stored,
    (item) => item.id,
    (item, present) => {
      if (erased.has(item.id)) return erasedMemberError(item.id)
      const key = keyOf.get(item.email)
      const holder = key === undefined ? undefined : holders.get(key)
      if (holder !== undefined && holder !== item.id)
        return new AppError('email_taken', 'email: another member already has this e-mail')
      if (!present) {
        const stale = checkPrecondition('member', precondition, present)
        if (stale) return stale
        holders.set(key!, item.id)
        return { ...withoutEmpty(item), version: 1 }
      }
      const after = applyChange<MemberRow>(present, withoutEmpty(item))
      if (after === present) return present
      const stale = checkPrecondition('member', precondition, present)
      if (stale) return stale
      if (key !== undefined) {
        holders.delete(keyOf.get(present.email) ?? '')
        holders.set(key, item.id)
      }
      const audit = buildAuditEntry(present, after)
      if (audit) audits.push(audit)
      return { ...after, version: present.version + 1 }
    },
  )
  await updateRows(tx, { id: members.id }, changeableColumns, updates)
  await insertRows(tx, writtenColumns, inserts, ['id'])
  await auditAll(tx, ctx, audits)
  return outcomes
}

/** An empty text clears the field. An absent one keeps it. */
const withoutEmpty = (item: MemberItem) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value === '' ? null : value])) as MemberItem

function buildAuditEntry(present: MemberRow, after: MemberRow): AuditEntry | undefined {
  const fields = auditedFields.filter((field) => present[field] !== after[field])
  if (fields.length === 0) return undefined
  const pick = (row: MemberRow) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return {
    action: 'update_member',
    target: { type: 'user', id: present.id },
    personal: { memberId: present.id, details: { before: pick(present), after: pick(after) } },
  }
}

async function lockMembers(tx: Tx, items: readonly MemberItem[]) {
  const found = await tx
    .select(writtenColumns)
    .from(members)
    .where(sql`${members.id} = ANY(${textArray(items.map((item) => item.id))})`)
    .orderBy(members.id)
    .for('no key update')
    .prepare('lock_members')
    .execute()
  return new Map(found.map((row): [string, MemberRow] => [row.id, row]))
}

/** Which of these locked members were erased. */
async function findErased(tx: Tx, stored: ReadonlyMap<string, MemberRow>): Promise<Set<string>> {
  if (stored.size === 0) return new Set()
  const found = await executePrepared<{ id: string }>(
    tx,
    sql`SELECT id FROM members WHERE id = ANY(${textArray(stored.keys())}) AND erased_at IS NOT NULL`,
  )
  return new Set(found.rows.map(({ id }) => id))
}

/** Reads how PostgreSQL folds each e-mail of the items and their members, and which member has it now. */
async function readEmails(tx: Tx, items: readonly MemberItem[], stored: ReadonlyMap<string, MemberRow>) {
  const keyOf = new Map<string, string>()
  const holders = new Map<string, string>()
  // No e-mail changes, as is usual when the platform sends known data again.
  if (items.every(({ id, email }) => stored.get(id)?.email === email)) return { keyOf, holders }
  const taken = sql`
    SELECT given.email, fold_name(given.email) AS key, holder.id AS holder
    FROM unnest(${textArray([...items, ...stored.values()].map(({ email }) => email))}) AS given(email)
    LEFT JOIN members AS holder ON fold_name(holder.email) = fold_name(given.email)`
  const found = await executePrepared<{ email: string; key: string; holder: string | null }>(tx, taken)
  for (const { email, key, holder } of found.rows) {
    keyOf.set(email, key)
    if (holder !== null) holders.set(key, holder)
  }
  return { keyOf, holders }
}
