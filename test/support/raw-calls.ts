import { connect, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'

/** The header that each call of HTTP/1.1 needs. */
export const host = 'host: localhost\r\n'

/** Opens a connection to this port. That the server cuts it off is told by `close` alone. */
export const openSocket = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => {})

/** Opens a connection to `app`, which listens from then on. */
export async function connectTo(app: FastifyInstance): Promise<Socket> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return openSocket((app.server.address() as AddressInfo).port)
}

/** What a server answers to these very bytes. */
export async function sendBytes(app: FastifyInstance, sent: string): Promise<string> {
  const socket = await connectTo(app)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes)).write(sent)
  await expect.poll(() => answer).toMatch(/\r\n\r\n\{.*\}$/s)
  socket.destroy()
  return answer
}
