import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#server/core/config.ts'

/**
 * What every reply carries unless its route says otherwise (docs/security.md): those of calls, and those to what never
 * became one.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The same, and over https two years of it. */
export const buildHeaders = ({ isHttps }: Config): Readonly<Record<string, string>> =>
  isHttps ? { ...securityHeaders, 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : securityHeaders

/** How a body is packed, `identity` where it is not. */
export const readEncoding = (headers: IncomingHttpHeaders): string =>
  headers['content-encoding']?.trim().toLowerCase() || 'identity'

/** On every answer: under the same id the log, and the audit log, have the request. */
export const requestIdHeader = 'x-request-id'
