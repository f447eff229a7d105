import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#server/core/config.ts'

/**
 * The default headers of every reply (docs/security.md), also of what never became a request.
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

/** The default headers, with two years of HSTS over https. */
export const buildHeaders = ({ isHttps }: Config): Readonly<Record<string, string>> =>
  isHttps ? { ...securityHeaders, 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : securityHeaders

/** The content encoding of a body, `identity` by default. */
export const readEncoding = (headers: IncomingHttpHeaders): string =>
  headers['content-encoding']?.trim().toLowerCase() || 'identity'

/** On every reply. The log and the audit log contain the same id. */
export const requestIdHeader = 'x-request-id'
