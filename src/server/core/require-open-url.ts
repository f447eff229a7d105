import { isIP } from 'node:net'
import { isPublicAddress } from '#server/adapters/ip-ranges.ts'
import { invalidField } from '#server/lib/errors.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import type { Ctx } from './context.ts'
import { holdsDemoData } from './stored-settings.ts'

/**
 * Throws invalid for an address that nothing may be sent to; what its name leads to is judged at each try. `what` would
 * be sent there.
 */
export async function requireOpenUrl({ config, database }: Ctx, url: string, what: string): Promise<void> {
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol === 'http:' && !isLoopback(url) && !config.allowInsecureHttp)
    throw invalidField('url', `would carry ${what} over plain http; give an https address`)
  if (!config.webhookAllowPrivate && (isLoopback(url) || (isIP(host) && !isPublicAddress(host))))
    throw invalidField('url', `${host} is not public (WEBHOOK_ALLOW_PRIVATE is off)`)
  if (!isLoopback(url) && (await holdsDemoData(database)))
    throw invalidField('url', 'leads off this machine, but this database holds demo data')
}
