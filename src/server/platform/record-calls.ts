import { sql, type SQL } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Address, PlatformId } from '#contract/schemas/common.ts'
import type { ErrorReply } from '#contract/schemas/errors.ts'
import { platformBase } from '#contract/platform-api.ts'
import { tokenKinds, type TokenKind } from '#contract/token-kinds.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { waitForAnnouncements, announceSoon } from './announce-soon.ts'

/** The call and its target, for the audit row. */
export interface PlatformCall {
  /** `PUT /members/{id}` */
  name: string
  target: { type: 'user' | 'order' | 'token'; id: SQL; version: SQL } | null
  /** The platform's ids of the target, if they differ from the row's id. */
  named: Record<string, string>
}

const isTokenKind = (kind: string | undefined): kind is TokenKind => tokenKinds.some((known) => known === kind)

/** Describes the call of a request. Ignores ids of a refused call that no row can have. */
export function describeCall({ method, params, routeOptions: { url = '' } }: FastifyRequest): PlatformCall {
  const name = `${method} ${url.replace(platformBase, '').replace(/:(\w+)/g, '{$1}')}`
  const { id, orderNumber, kind, contractAddress } = params as Record<string, string | undefined>
  if (PlatformId.safeParse(id).success) {
    const version = sql`(SELECT version FROM members WHERE id = ${id})`
    return { name, target: { type: 'user', id: sql`${id}::text`, version }, named: {} }
  }
  if (orderNumber !== undefined && PlatformId.safeParse(orderNumber).success) {
    const of = (column: SQL) => sql`(SELECT ${column} FROM orders WHERE order_number = ${orderNumber})`
    const target = { type: 'order', id: of(sql`id::text`), version: of(sql`version`) } as const
    return { name, target, named: { orderNumber } }
  }
  if (isTokenKind(kind) && contractAddress !== undefined && Address.safeParse(contractAddress).success) {
    const address = contractAddress.toLowerCase()
    const of = (column: SQL) =>
      sql`(SELECT ${column} FROM tokens WHERE kind = ${kind} AND contract_address = ${address})`
    const target = { type: 'token', id: of(sql`id::text`), version: of(sql`version`) } as const
    return { name, target, named: { kind, contractAddress: address } }
  }
  return { name, target: null, named: {} }
}

export type CallOutcome =
  | { outcome: Exclude<Outcome, Error> | 'completed' | 'repeated' | 'read' | 'erased' }
  | { status: number; code: string; fields?: string[] }

/** Writes the audit row of a call (product 6.9). Returns the version of its target, or null without a target. */
export async function recordCall(
  db: Db | Tx,
  { actor, ipAddress, requestId }: Ctx,
  { name, target, named }: PlatformCall,
  outcome: CallOutcome,
): Promise<number | null> {
  const details = JSON.stringify({ call: name, ...named, ...outcome })
  const insert = sql`
    INSERT INTO audit_log (actor_kind, actor_name, action, target_type, target_id, details, ip_address, request_id)
    VALUES ('platform', ${`platform:${actor.name}`}, 'platform_call', ${target?.type ?? null}, ${target?.id ?? null},
      ${details}::jsonb, ${ipAddress}, ${requestId})
    RETURNING ${target?.version ?? null}::int AS version`
  const { rows } = await executePrepared<{ version: number | null }>(db, insert)
  return rows[0]!.version
}

const maxFields = 20
/** Only names of fields are recorded, and only valid ones, because values may be personal data. */
const fieldForm = /^[\w.-]{1,64}$/

function readRefusal(payload: unknown): { code: string; fields?: string[] } {
  const { code, details } = Object(payload) as Partial<ErrorReply>
  const named: unknown[] = Array.isArray(details) ? details.map((each: unknown) => Object(each).field) : []
  const fields = [...new Set(named)].filter((name) => typeof name === 'string').filter((name) => fieldForm.test(name))
  return { code: String(code), ...(fields.length > 0 && { fields: fields.slice(0, maxFields) }) }
}

/**
 * Writes audit rows of reads and refused calls after the answer. Changes write theirs in their own transaction. Calls
 * without a valid key are security events instead, and 429 must not cause work.
 */
export function recordCalls(scope: FastifyInstance): void {
  const refusals = new WeakMap<FastifyRequest, { code: string; fields?: string[] }>()
  const underWay = new Set<Promise<void>>()

  scope.addHook('preSerialization', async (request, reply, payload: unknown) => {
    if (reply.statusCode >= 400) refusals.set(request, readRefusal(payload))
    return payload
  })
  scope.addHook('onResponse', async (request, { statusCode: status }) => {
    const ctx = request.ctx as Ctx | undefined
    if (ctx?.actor.kind !== 'platform' || status === 429) return
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const became: CallOutcome =
      status < 400 ? { outcome: 'read' } : { status, ...(refusals.get(request) ?? { code: 'unknown' }) }
    const writing = (
      status >= 400 || isRead ? recordAnsweredCall(ctx, request, became) : waitForAnnouncements(ctx.database)
    )
      .catch((error: unknown) => request.log.warn({ err: error }, 'a call of the platform could not be audited'))
      .finally(() => underWay.delete(writing))
    underWay.add(writing)
  })
  scope.addHook('onClose', async () => void (await Promise.all(underWay)))
}

async function recordAnsweredCall(ctx: Ctx, request: FastifyRequest, outcome: CallOutcome): Promise<void> {
  await recordCall(ctx.database.db, ctx, describeCall(request), outcome)
  announceSoon(ctx, ['logs'])
  await waitForAnnouncements(ctx.database)
}
