import { isIP } from 'node:net'
import type { Config } from '#server/core/config.ts'
import { isLoopback } from '#server/lib/loopback.ts'

/** Whom passkeys are made for, from the settings alone: what a request claims decides nothing. */
export interface RelyingParty {
  id: string
  origin: string
}

const isAddress = (hostname: string) => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
const isLocalName = (hostname: string) => /(^|\.)localhost$/i.test(hostname)

/** Null where browsers offer no passkeys: WebAuthn takes no IP address, and no plain http but on `localhost`. */
export function readRelyingParty({ publicUrl }: Config): RelyingParty | null {
  const { protocol, hostname, port, origin } = publicUrl
  if (isAddress(hostname)) {
    if (!isLoopback(origin)) return null
    return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` }
  }
  return protocol === 'https:' || isLocalName(hostname) ? { id: hostname, origin } : null
}

/**
 * Why no passkey can be used at the address that a browser shows, or null. Only for what is offered: verification goes
 * by the settings. `askedHost` is the name in `Origin` or, where it is absent, in `Host`.
 */
export function findPasskeyProblem(config: Config, askedHost: string): string | null {
  const party = readRelyingParty(config)
  if (!party) return 'Passkeys need https and a host name, and PUBLIC_URL has not both'
  if (new URL(party.origin).hostname === askedHost.toLowerCase()) return null
  return `Passkeys can’t be used at this address: open the console at ${party.origin}`
}
