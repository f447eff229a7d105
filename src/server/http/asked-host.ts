import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config.ts'
import { isLoopback } from '#server/lib/loopback.ts'

/**
 * The host name at which a browser shows the console: that of `Origin`, which reads lack, else that of PUBLIC_URL. Only where
 * PUBLIC_URL is this machine does `Host` tell, since a proxy may put another one there. For what is offered, never for what is
 * accepted.
 */
export function readAskedHost({ headers, hostname }: FastifyRequest, { publicUrl }: Config): string {
  const { origin } = headers
  if (origin !== undefined && URL.canParse(origin)) return new URL(origin).hostname
  return isLoopback(publicUrl.origin) ? hostname : publicUrl.hostname
}
