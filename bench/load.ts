import { connect, type Socket } from 'node:net'
import { makeOrder } from './orders.ts'

/**
 * A process that requests one address over `connections` kept-alive connections, with one request at a time on each, and
 * prints its measurements. Written on sockets, so that it takes little of the measured processor.
 */
interface Load {
  port: number
  path: string
  cookie: string
  connections: number
  seconds: number
  puts?: Puts
}
/** PUTs instead of GETs: `count` ids in turn, each with a path below `path` and its own body. */
export interface Puts {
  of: 'members' | 'orders'
  prefix: string
  count: number
  key: string
}
export interface LatencySamples {
  requestsPerSecond: number
  p50: number
  p99: number
}

const headEnd = Buffer.from('\r\n\r\n')

/** Reads one whole reply. Throws unless it is 200 with a content length. */
async function readReply(chunks: AsyncIterator<Buffer>): Promise<number> {
  let seen: Buffer = Buffer.alloc(0)
  let wanted = -1
  for (;;) {
    const { value, done } = await chunks.next()
    if (done) throw new Error('the server closed the connection')
    seen = seen.length > 0 ? Buffer.concat([seen, value]) : value
    if (wanted < 0) {
      const end = seen.indexOf(headEnd)
      if (end < 0) continue
      const head = seen.toString('latin1', 0, end)
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (!head.startsWith('HTTP/1.1 200') || !length) throw new Error(`unexpected reply: ${head.slice(0, 300)}`)
      wanted = end + headEnd.length + Number(length)
    }
    if (seen.length >= wanted) return seen.length
  }
}

async function ask(socket: Socket, next: () => string, until: number, times: number[]) {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (performance.now() < until) {
    const start = performance.now()
    socket.write(next())
    await readReply(chunks)
    times.push(performance.now() - start)
  }
  socket.destroy()
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load
const get = `GET ${load.path} HTTP/1.1\r\nHost: 127.0.0.1:${load.port}\r\nCookie: ${load.cookie}\r\n\r\n`
let asked = 0
function next(): string {
  if (!load.puts) return get
  const { of, prefix, count, key } = load.puts
  const id = `${prefix}-${String(asked++ % count).padStart(6, '0')}`
  const member = { email: `${id}@mail.example`, legalFirstName: 'Ana', legalLastName: `Lima ${id}` }
  const body = JSON.stringify(of === 'members' ? member : makeOrder(asked))
  const head = `Host: 127.0.0.1:${load.port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
  return `PUT ${load.path}/${id} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
const times: number[] = []
const start = performance.now()
const until = start + load.seconds * 1000
await Promise.all(
  Array.from({ length: load.connections }, () =>
    ask(connect({ port: load.port, host: '127.0.0.1', noDelay: true }), next, until, times),
  ),
)
const elapsed = (performance.now() - start) / 1000
times.sort((one, other) => one - other)
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
const samples: LatencySamples = { requestsPerSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) }
console.log(JSON.stringify(samples))
