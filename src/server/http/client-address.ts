import { isIP, isIPv4, isIPv6 } from 'node:net'

/** Converts an IPv4 address from an IPv6 socket to its usual form. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\S+)$/i.exec(address)?.[1]
  return mapped && isIPv4(mapped) ? mapped : address
}

/** The address in a proxy's entry, which may include a port. Undefined if it is invalid. */
function parseProxyAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(bare) ? plainAddress(bare) : undefined
}

/**
 * The address of the client. If proxies are trusted, `ips` goes from the connection's address to the first untrusted
 * one. Returns the furthest valid address, because a proxy may pass on entries that it did not check.
 */
export function clientAddress({ ip, ips = [ip] }: { ip: string; ips?: string[] | undefined }): string {
  for (const each of ips.toReversed()) {
    const address = parseProxyAddress(each)
    if (address !== undefined) return address
  }
  return ''
}

/** The network of a client as a provider gives it out: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function readSubnet(address: string): string {
  const network = readNetwork(address)
  return isIPv4(network) ? `${network.split('.').slice(0, 3).join('.')}.0/24` : network
}

/** The /48 of a network that is the /64 of an IPv6 address, of which one customer may have 65,536. Null for IPv4. */
export const readSite = (network: string): string | null =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null

/**
 * The network by which clients are counted: an IPv4 address, or the /64 of an IPv6 address, because one household has a
 * whole /64.
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
