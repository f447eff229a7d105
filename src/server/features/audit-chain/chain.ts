import { computeMac, type SigningKey } from '#server/core/signing-keys.ts'
import { instant } from '#server/db/select.ts'

/** SQL over an audit row `a`: all that it says, in a form that is the same on every server. */
export const contentSql = `jsonb_build_array(a.id, ${instant('a.created_at')}, a.actor_kind, a.actor_id, a.actor_name,
  a.action, a.target_type, a.target_id, a.details, a.ip_address, a.request_id)::text`

/** The end of the chain. */
export interface ChainHead {
  seq: bigint
  auditId: string
  mac: Buffer
}

/** The MAC of an audit row and of everything before it. */
export const computeLink = (key: SigningKey, seq: bigint, before: Buffer | undefined, content: string): Buffer =>
  computeMac(key, 'audit', [String(seq), before?.toString('hex') ?? null, content])
