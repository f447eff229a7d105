import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { LiveList } from '#contract/live.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import type { Actor, Ctx } from './context.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'
import type { SearchedTexts } from '#server/db/search-texts.ts'
import { canonicalJson } from '#server/lib/json.ts'
import { sha256 } from '#server/lib/hash.ts'
import { auditLog, auditPersonal, securityEvents } from '#server/db/tables/security.ts'

/** The channel that informs every server of changed lists. */
export const changesChannel = 'changes'

/** Announces to open consoles, when the transaction commits, that these lists changed. */
export async function announce(tx: Tx, ...lists: LiveList[]): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${changesChannel}, ${lists.join(',')})`)
}

/** The name of the actor in audit rows and changed rows. */
export const actorName = ({ kind, name }: Actor): string => (kind === 'platform' ? `platform:${name}` : name)

export interface AuditEntry {
  action: AdminAction
  target?: { type: string; id: string }
  /** The admin who acts, where the call has none yet: a sign-in under way. */
  by?: { id: string; name: string }
  /** What the operator entered, and the values `before` and `after`. */
  details?: Record<string, unknown>
  /** Details that are deleted with the member; null: of nobody in particular. They win over `details`. */
  personal?: { memberId: string | null; details: Record<string, unknown> } | undefined
}

/** Writes the audit row of a change in its transaction (product 6.9). */
export const audit = (tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> => auditAll(tx, ctx, [entry])

/** Writes the audit rows of a batch in one statement. */
export async function auditAll(tx: Tx, ctx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0 || ctx.isDryRun) return
  const { actor, approval, bulkJob } = ctx
  for (const entry of entries) ctx.onAudit?.(entry)
  const prepared = entries.map((entry) => ({ entry, part: entry.personal && sealPersonal(entry.personal) }))
  const values = prepared.map(({ entry, part }) => ({
    createdAt: ctx.at,
    actorKind: entry.by ? 'admin' : actor.kind,
    actorId: entry.by?.id ?? (actor.kind === 'admin' ? actor.id : null),
    actorName: entry.by?.name ?? actorName(actor),
    action: entry.action,
    targetType: entry.target?.type ?? null,
    targetId: entry.target?.id ?? null,
    details: {
      ...entry.details,
      ...(approval && { approval }),
      ...(bulkJob && { bulkJob }),
      ...(part && { [digestField]: part.digest }),
    },
    ipAddress: ctx.ipAddress,
    requestId: ctx.requestId,
  }))
  const rows = await tx.insert(auditLog).values(values).returning({ id: auditLog.id })
  const parts = prepared.flatMap(({ part }, at) =>
    part ? [{ auditId: rows[at]!.id, memberId: part.memberId, details: part.details, salt: part.salt }] : [],
  )
  if (parts.length > 0) await tx.insert(auditPersonal).values(parts)
  await announce(tx, 'logs')
}

/** Under this name an audit row has the digest of its personal details. */
export const digestField = 'personal'

/** The digest of personal details. Without the salt nobody can try names. */
export const digestPersonal = (salt: Buffer, details: Record<string, unknown>): string =>
  sha256(Buffer.concat([salt, Buffer.from(canonicalJson(details))])).toString('hex')

function sealPersonal({ memberId, details }: NonNullable<AuditEntry['personal']>) {
  const salt = randomBytes(16)
  return { memberId, details, salt, digest: digestPersonal(salt, details) }
}

/** Personal details of nobody in particular, which may name anybody. */
export const detailsOfNobody: SearchedTexts = {
  rows: sql`audit_personal`,
  id: sql`audit_id`,
  text: sql`details::text`,
  where: sql`member_id IS NULL`,
}

/** Deletes the personal details of a member's audit rows, and those of these rows of nobody. Returns how many. */
export async function deletePersonalDetails(tx: Tx, memberId: string, auditIds: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    DELETE FROM audit_personal WHERE member_id = ${memberId} OR audit_id = ANY(${textArray(auditIds)}::bigint[])
    RETURNING audit_id::text AS id`)
  return rows.length
}

/** Writes a security event (product 6.10). */
export async function raiseSecurityEvent(
  tx: Tx,
  ctx: Pick<Ctx, 'ipAddress'>,
  event: { severity: Severity; type: string; description: string; details?: Record<string, unknown> },
): Promise<void> {
  await tx
    .insert(securityEvents)
    .values({
      severity: event.severity,
      eventType: event.type,
      description: event.description,
      details: event.details ?? {},
      ipAddress: ctx.ipAddress,
    })
  await announce(tx, 'security')
}
