import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** During a stop, idle connections close after this time. Until then their next request is answered. */
const idleGraceMs = 500
/** Running work is aborted after this time. */
const workMs = 3000
const idleCheckMs = 50

/**
 * Stops without cutting anybody off: closes the port first, then each connection after its next answer, which says
 * `connection: close`. Returns a function that says whether the stop has begun.
 */
export function closePortFirst(app: FastifyInstance): () => boolean {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    // After a turn of the event loop all open connections are accepted. Later ones are refused, not reset.
    await nextTurn()
    // Not close() of HTTP, which cuts idle connections even if their next request is on its way.
    if (app.server.listening) Listener.prototype.close.call(app.server)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  return () => isStopping
}

/** Register this after every route, so that their streams end before the wait for connections. */
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
