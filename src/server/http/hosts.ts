import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config.ts'
import { AppError } from '#server/lib/errors.ts'
import { isLoopback } from '#server/lib/loopback.ts'

/**
 * The host name at which a browser shows the console: that of `Origin`, which reads lack, else that of PUBLIC_URL. Only
 * where PUBLIC_URL is this machine does `Host` tell, since a proxy may put another one there. For what is offered,
 * never for what is accepted.
 */
export function readAskedHost({ headers, hostname }: FastifyRequest, { publicUrl }: Config): string {
  const { origin } = headers
  if (origin !== undefined && URL.canParse(origin)) return new URL(origin).hostname
  return isLoopback(publicUrl.origin) ? hostname : publicUrl.hostname
}

const hostPattern = /^(?:\[([\da-f:.]+)\]|([^\s:@/?#\\[\]]+))(?::\d{1,5})?$/i

/** The host of a request with a whole address, as through a proxy. It counts before `Host` (RFC 9112, 3.2.2). */
const readTargetHost = (url = '') => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]

/** Headers of which a second one would be silently ignored. */
const singleHeaders = ['Host', 'Authorization']

/** The name or address in a `Host` header, without its port. Undefined if it is invalid. */
function readHostName(host: string): string | undefined {
  const [, inBrackets, bare] = hostPattern.exec(host) ?? []
  return (inBrackets ?? bare)?.toLowerCase()
}

/**
 * Refuses requests to other host names: a page of another site may point its name here and read the answers as its own.
 * Bare addresses are allowed, so that health checks and port forwarding work. Throws invalid and unknown_host.
 */
export function createHostCheck({ publicUrl, host, allowedHosts }: Config): (request: IncomingMessage) => void {
  const names = new Set(['localhost', publicUrl.hostname, host.toLowerCase(), ...allowedHosts])
  const requireOwn = (host: string) => {
    const name = readHostName(host)
    if (name === undefined) throw new AppError('invalid', 'Host is not valid')
    if (!names.has(name) && !isIP(name))
      throw new AppError('unknown_host', 'This console does not answer by that name: see PUBLIC_URL and ALLOWED_HOSTS')
  }
  return ({ url, headers, rawHeaders, httpVersion }) => {
    const target = readTargetHost(url)
    if (target !== undefined) requireOwn(target)
    const isTwice = (name: string) =>
      rawHeaders.filter((given, at) => at % 2 === 0 && given.toLowerCase() === name.toLowerCase()).length > 1
    const twice = singleHeaders.find(isTwice)
    if (twice) throw new AppError('invalid', `${twice} is given more than once`)
    // HTTP/1.0 programs, such as simple health checks, may send none. Browsers always do.
    if (headers.host === undefined && httpVersion === '1.0') return
    if (headers.host === undefined) throw new AppError('invalid', 'Host is missing')
    requireOwn(headers.host)
  }
}
