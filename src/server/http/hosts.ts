import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Config } from '#server/core/config.ts'
import { AppError } from '#server/lib/errors.ts'

const hostPattern = /^(?:\[([\da-f:.]+)\]|([^\s:@/?#\\[\]]+))(?::\d{1,5})?$/i

/** The name or address in a `Host` header, without its port. Undefined if it is invalid. */
function readHostName(host: string): string | undefined {
  const [, inBrackets, bare] = hostPattern.exec(host) ?? []
  return (inBrackets ?? bare)?.toLowerCase()
}

/**
 * Refuses requests to other host names: a page of another site may point its name here and read the answers as its own. Bare
 * addresses are allowed, so that health checks and port forwarding work. Throws invalid and unknown_host.
 */
export function createHostCheck({ publicUrl, host, allowedHosts }: Config): (request: IncomingMessage) => void {
  const names = new Set(['localhost', publicUrl.hostname, host.toLowerCase(), ...allowedHosts])
  return ({ headers, rawHeaders, httpVersion }) => {
    // HTTP/1.0 programs, such as simple health checks, may send none. Browsers always do.
    if (headers.host === undefined && httpVersion === '1.0') return
    if (headers.host === undefined) throw new AppError('invalid', 'Host is missing')
    if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw new AppError('invalid', 'Host is given more than once')
    const name = readHostName(headers.host)
    if (name === undefined) throw new AppError('invalid', 'Host is not valid')
    if (!names.has(name) && !isIP(name))
      throw new AppError('unknown_host', 'This console does not answer by that name: see PUBLIC_URL and ALLOWED_HOSTS')
  }
}
