import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the gate answers by itself. Without a status it says nothing for ever. */
interface OwnAnswer {
  status?: number
  body?: string
}

/** Stands before a store, notes each request, and answers some of them by itself. */
export async function startS3Gate(port: number) {
  const seen: string[] = []
  const gate = {
    /** `PUT /bucket/key?query` of each request. */
    seen,
    /** Undefined lets the request through. */
    answer: (_request: string): OwnAnswer | undefined => undefined,
    endpoint: '',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url, headers } = incoming
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    // Swift ends an answer to HEAD like a body in chunks, which is an error to Node after the answer.
    passed.on('error', () => outgoing.headersSent || outgoing.destroy())
    incoming.pipe(passed)
  }
  const server = createServer((incoming, outgoing) => {
    const text = `${incoming.method} ${decodeURIComponent(incoming.url!)}`
    seen.push(text)
    const own = gate.answer(text)
    if (!own) return forward(incoming, outgoing)
    incoming.resume()
    if (own.status !== undefined) outgoing.writeHead(own.status).end(own.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  gate.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return gate
}
