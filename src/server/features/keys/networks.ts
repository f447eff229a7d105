import { isIP } from 'node:net'
import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/core/upsert.ts'
import { invalidField } from '#server/lib/errors.ts'

const example = 'such as 203.0.113.0/24, 203.0.113.7 or 2001:db8::/48'

/** Throws invalid for a text that is no network or address. The database also refuses a network with bits of a host. */
export async function requireNetworks(tx: Tx, networks: readonly string[]): Promise<void> {
  if (networks.length === 0) throw invalidField('from', `must name one network at least, ${example}`)
  // Addresses of calls are compared in their usual form, so a network of this form would never match.
  const mapped = networks.find((network) => /^::ffff:/i.test(network))
  if (mapped !== undefined) throw invalidField('from', `"${mapped}" must be written as an IPv4 network`)
  const form = /^([^/]+)(\/\d{1,3})?$/
  const unread = networks.find((network) => isIP(form.exec(network)?.[1] ?? '') === 0)
  const { rows } = await tx.execute<{ network: string }>(
    sql`SELECT network FROM unnest(${textArray(networks)}) AS network WHERE NOT pg_input_is_valid(network, 'cidr')`,
  )
  const wrong = unread ?? rows[0]?.network
  if (wrong !== undefined) throw invalidField('from', `"${wrong}" is no network, ${example}`)
}
