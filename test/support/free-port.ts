import { once } from 'node:events'
import { createServer } from 'node:net'

const portsOfWorker = 1000
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0)
let next = 0

/** A port of loopback that no other test of the run is given. Each worker counts through a range below that of outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + worker * portsOfWorker + (next++ % portsOfWorker)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
