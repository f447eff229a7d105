import type { LightMyRequestResponse } from 'fastify'
import * as z from 'zod'
import { errorStatuses } from '#contract/errors.ts'
import { ErrorReply } from '#contract/schemas/errors.ts'
import type { OpenApiDocument, Operation, Schema } from '#server/openapi/types.ts'
import type { TestServer } from './server.ts'

/** General refusals, which the description gives once for all calls. */
const generalStatuses = new Set([405, 421])
const internalsPattern =
  /\n\s+at |node_modules|\.[cm]?[jt]s:\d|syntax error at|violates \w+ constraint|relation "|duplicate key|Failed query|(?:SELECT|DELETE) .* FROM |INSERT INTO |ECONN/

/** Compares an answer with its description. Returns the fault, or undefined. */
export function createAnswerCheck(document: OpenApiDocument) {
  const compiled = new Map<Schema, z.ZodType>()
  const $defs = JSON.parse(JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'))
  const compile = (schema: Schema) => {
    const known = compiled.get(schema)
    if (known) return known
    const own = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'))
    const made = z.fromJSONSchema({ ...own, $defs })
    compiled.set(schema, made)
    return made
  }

  function findRefusalFault({ statusCode, body }: LightMyRequestResponse): string | undefined {
    const read = z.safeParse(ErrorReply, JSON.parse(body))
    if (!read.success) return `no ErrorReply: ${z.prettifyError(read.error)}`
    const { code } = read.data
    if (errorStatuses[code] !== statusCode) return `${code} is not a code of ${statusCode}`
    if (statusCode >= 500) return `a fault: ${code}`
    return internalsPattern.test(JSON.stringify(read.data).replaceAll('\\"', '"').replaceAll('\\n', '\n'))
      ? 'names something internal'
      : undefined
  }

  return (operation: Operation, reply: LightMyRequestResponse): string | undefined => {
    const declared = operation.responses[String(reply.statusCode)]
    if (!declared && !generalStatuses.has(reply.statusCode)) return 'a status that is not described'
    const type = (reply.headers['content-type'] ?? '').replace(/;.*/, '')
    if (reply.statusCode >= 400) return type === 'application/json' ? findRefusalFault(reply) : `a refusal as ${type}`
    const [wanted, media] = Object.entries(declared?.content ?? {})[0] ?? []
    if (!wanted || !media) return reply.body === '' ? undefined : 'a body where none is described'
    if (type !== wanted && !(wanted === 'image/*' && type.startsWith('image/'))) return `answered as ${type}`
    if (wanted !== 'application/json') return undefined
    const read = compile(media.schema).safeParse(JSON.parse(reply.body))
    return read.success ? undefined : `not the described body: ${z.prettifyError(read.error)}`
  }
}

/**
 * What a refused call may write, or what is written later in batches: who called, how often, what was read, what the KYC provider sent and was sent, the answer to a repeated call,
 * and the counts of such rows.
 */
const recordTables = [
  'admins',
  'sessions',
  'known_devices',
  'sign_in_throttles',
  'audit_log',
  'audit_chain',
  'audit_personal',
  'data_access',
  'security_events',
  'platform_keys',
  'idempotent_calls',
  'import_batches',
  'messages',
  'message_attempts',
  'list_deltas',
  'alert_recipients',
]

/** The rows and the latest change of every table but those records. */
export type Fingerprint = ReadonlyMap<string, string>

export async function createFingerprinter(server: TestServer): Promise<() => Promise<Fingerprint>> {
  const tables = await server.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [recordTables],
  )
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, concat(count(*), ' ', max(xmin::text::bigint)) AS state FROM ${name}`,
  )
  // Of messages, what goes out is not a record: it is what a change tells of.
  parts.push(
    `SELECT 'messages' AS name, concat(count(*), ' ', max(xmin::text::bigint)) AS state FROM messages WHERE direction = 'out'`,
  )
  // A wrong code is counted there.
  parts.push(
    `SELECT 'alert_recipients' AS name, coalesce(jsonb_agg(to_jsonb(each) - 'code_failures' ORDER BY admin_id), '[]')::text AS state
     FROM alert_recipients AS each`,
  )
  const statement = parts.join(' UNION ALL ')
  return async () =>
    new Map((await server.sql<{ name: string; state: string }>(statement)).map(({ name, state }) => [name, state]))
}

/** The tables that differ. */
export const listChanged = (before: Fingerprint, after: Fingerprint): string =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name)).join(', ')
