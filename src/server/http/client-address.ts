import { isIP, isIPv4, isIPv6 } from 'node:net'

/** An IPv4 address that came over an IPv6 socket, in its usual form; any other as it is. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\S+)$/i.exec(address)?.[1]
  return mapped && isIPv4(mapped) ? mapped : address
}

/** The address within what a proxy wrote, which may name a port too; undefined where it is none. */
function parseProxyAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(bare) ? plainAddress(bare) : undefined
}

/**
 * From where a request comes. `ips`, known where proxies are trusted, leads from the connection's own address to the first
 * that no trusted proxy has: of them the furthest that is one, since a proxy may pass on what it has not read.
 */
export function clientAddress({ ip, ips = [ip] }: { ip: string; ips?: string[] | undefined }): string {
  for (const each of ips.toReversed()) {
    const address = parseProxyAddress(each)
    if (address !== undefined) return address
  }
  return ''
}

/**
 * What is counted and remembered as one place: an IPv4 address, or the /64 of an IPv6 address, since one household is
 * given a whole /64 and may speak from any address of it.
 */
export function readNetwork(address: string): string {
  const plain = plainAddress(address).split('%')[0] ?? ''
  if (!isIPv6(plain)) return plain.slice(0, 64)
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
