import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HeldTimeouts } from '#test/support/held-timeouts.ts'

export interface Call {
  id: number
  method: string
  params: unknown[]
}
type Reply = Record<string, unknown>

/** One HTTP call of the console to a node, with several JSON-RPC calls in a batch. */
export interface Exchange {
  calls: Call[]
  isBatch: boolean
  response: ServerResponse
  /** What the real node answers, one for each call. */
  forward: () => Promise<Reply[]>
  /** Ends the exchange with these replies. */
  reply: (replies: readonly object[]) => void
  /** The console's time for the call is over; for its body, once the headers have come. */
  expire: () => void
  expireBody: () => void
}
export type Fault = (exchange: Exchange) => void | Promise<void>

/** Stands between the console and a node; with a fault it misbehaves, without one it passes everything on. */
export interface FaultProxy {
  url: string
  fault: Fault | null
  close(): Promise<void>
}

export async function startFaultProxy(upstream: string, timeouts: HeldTimeouts): Promise<FaultProxy> {
  const passOn: Fault = async ({ forward, reply }) => reply(await forward())
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const asked = JSON.parse(text) as Call | Call[]
      const exchange: Exchange = {
        calls: [asked].flat(),
        isBatch: Array.isArray(asked),
        response,
        async forward() {
          const answer = await fetch(upstream, { method: 'POST', body: text })
          return [(await answer.json()) as Reply | Reply[]].flat()
        },
        expire: () => timeouts.expire(proxy.url),
        expireBody: () => timeouts.expireBody(proxy.url),
        reply: (replies) => void response.end(JSON.stringify(exchange.isBatch ? replies : replies[0])),
      }
      const work = async () => (proxy.fault ?? passOn)(exchange)
      // A console that no longer listens, or a node that is gone, ends the exchange.
      work().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-abc123`,
    fault: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
