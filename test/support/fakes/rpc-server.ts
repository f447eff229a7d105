import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RpcServer {
  url: string
  /** HTTP calls so far, and of each the methods that it asked. */
  calls: string[][]
  close(): Promise<void>
}

/**
 * A JSON-RPC node over HTTP, for single calls and batches. `answer` makes the whole reply to a call; `intervene` may answer
 * an HTTP call in its place, and says whether it did.
 */
export async function startRpcServer<Call extends { method: string }>(
  answer: (call: Call) => object,
  intervene: (response: ServerResponse, calls: Call[]) => boolean,
): Promise<RpcServer> {
  const calls: string[][] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const asked = JSON.parse(text) as Call | Call[]
      const batch = [asked].flat() as Call[]
      calls.push(batch.map(({ method }) => method))
      if (intervene(response, batch)) return
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(asked) ? batch.map(answer) : answer(asked)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-abc123`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
