import { once } from 'node:events'
import { connect as dial, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** `silent`: connections stay open, are accepted, and carry nothing any more, as behind a firewall that forgot them. */
export type ProxyMode = 'open' | 'slow' | 'silent'

const slowChunkBytes = 700
const slowChunkMs = 20

/** Passes bytes on in small pieces, each with a pause. */
const createBrake = (isSlow: () => boolean) =>
  new Transform({
    transform(bytes: Buffer, _encoding, done) {
      if (!isSlow()) return done(null, bytes)
      const next = (at: number) => {
        if (at >= bytes.length) return done()
        this.push(bytes.subarray(at, at + slowChunkBytes))
        setTimeout(next, slowChunkMs, at + slowChunkBytes)
      }
      next(0)
    },
  })

/** A proxy on loopback, at `port` or a free one, that breaks the connections through it. */
export async function startTcpProxy(target: NetConnectOpts, port = 0) {
  const open = new Set<Socket>()
  let mode: ProxyMode = 'open'

  const proxy = createServer({ allowHalfOpen: false }, (client) => {
    const keep = (socket: Socket) => {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    keep(client)
    if (mode === 'silent') return void client.resume()
    const upstream = dial(target)
    keep(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    const isSlow = () => mode === 'slow'
    client.pipe(createBrake(isSlow)).pipe(upstream)
    upstream.pipe(createBrake(isSlow)).pipe(client)
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    setMode(next: ProxyMode) {
      mode = next
      if (next !== 'silent') return
      // Whatever still comes is taken and thrown away, on both sides.
      for (const socket of open) socket.removeAllListeners('close').unpipe().removeAllListeners('data').resume()
      for (const socket of open) socket.on('close', () => open.delete(socket))
    },
    /** Resets all connections. Returns how many. */
    cut() {
      const count = open.size
      // A unix socket knows no reset.
      for (const socket of open) {
        if (socket.remoteAddress === undefined) socket.destroy()
        else socket.resetAndDestroy()
      }
      return count
    },
    async close() {
      for (const socket of open) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>
