import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A free port of loopback. Another program may still take it before it is used. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
