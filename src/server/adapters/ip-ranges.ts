import { BlockList, isIP } from 'node:net'

/** Private and special-purpose networks (IANA's registries): never a stranger's server. */
const special4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special4.addSubnet(network, prefix, 'ipv4')

/** All public IPv6 addresses are in 2000::/3. Outside are loopback, local, multicast, mapped and translated ones. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special6.addSubnet(network, prefix, 'ipv6')

/** Whether an address is public. False for invalid addresses. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
