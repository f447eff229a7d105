import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A connection that is idle this long into the stop is closed; until then its next request is answered. */
const idleGraceMs = 500
/** Work under way is cut off after this long. */
const workMs = 3000
const idleCheckMs = 50

/**
 * Ends service without cutting anybody off: the port is closed first, then each connection after its next answer, which
 * says `connection: close`. Answers whether that has begun.
 */
export function closePortFirst(app: FastifyInstance): () => boolean {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    // After a turn of the event loop all that have connected are accepted; the others are refused, not reset.
    await nextTurn()
    // Not the close() of HTTP, which cuts idle connections off, also those whose next request is on its way.
    if (app.server.listening) Listener.prototype.close.call(app.server)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  return () => isStopping
}

/** To be called after every route: what they end at a stop, such as event streams, is ended before. */
export function waitForConnections(app: FastifyInstance): void {
  app.addHook('preClose', () => closeConnections(app.server))
}

async function closeConnections(server: Server): Promise<void> {
  const begun = performance.now()
  while ((await countConnections(server)) > 0) {
    const waited = performance.now() - begun
    if (waited > workMs) server.closeAllConnections()
    else if (waited > idleGraceMs) server.closeIdleConnections()
    await pause(idleCheckMs)
  }
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
