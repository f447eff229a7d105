import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderCall {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A KYC provider that answers as a test tells it and remembers what it was sent. Close it when the test file ends. */
export async function startFakeProvider() {
  const calls: ProviderCall[] = []
  const key = Buffer.alloc(32, 7)
  const accept = (response: ServerResponse) => void response.writeHead(202).end('{"status":"accepted"}')
  const provider = {
    url: '',
    secret: `whsec_${key.toString('base64')}`,
    calls,
    /** How it answers; `accept` at first. */
    answer: accept as (response: ServerResponse, call: ProviderCall) => void,
    accept,
    /** Whether the call bears our signature: the scheme written down a second time, so that both must agree. */
    isSigned({ headers, body }: ProviderCall) {
      const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
      return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', () => {
      const { method, url, headers } = request
      const call = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
      calls.push(call)
      provider.answer(response, call)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/kyc?key=top-secret`
  return provider
}
