import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** After the port is closed, idle connections close after this time. Until then their next request is answered. */
const idleGraceMs = 500
/** Requests of which not everything has come by then are cut off. */
const arrivalMs = 3000
/** Whatever still runs is cut off. Longer than a statement may take, so that a call ends by itself. */
const workMs = 16_000
const checkMs = 50

type IsOver = (socket: Socket, request: IncomingMessage | undefined) => boolean

/** Stops a server without cutting anybody off (docs/decisions/075). Make it before the routes. */
export class GracefulStop {
  readonly #app: FastifyInstance
  readonly #drainMs: number
  /** Open connections, each with the request under way. */
  readonly #open = new Map<Socket, IncomingMessage | undefined>()
  #isStopping = false
  #isClosing = false
  #draining: Promise<void> | undefined
  #closedAt = 0

  constructor(app: FastifyInstance, drainSeconds: number) {
    this.#app = app
    this.#drainMs = drainSeconds * 1000
    app.server.on('connection', (socket: Socket) => {
      this.#open.set(socket, undefined)
      socket.once('close', () => this.#open.delete(socket))
    })
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      this.#open.set(socket, request)
      response.once('close', () => {
        if (this.#open.get(socket) === request) this.#open.set(socket, undefined)
      })
    })
    app.addHook('onSend', async (_request, reply) => {
      if (this.#isClosing) reply.header('connection', 'close')
    })
    app.addHook('preClose', () => this.drain())
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /**
   * `/ready` says 503 while calls are answered on, so that a proxy sends no more. Then the port closes. Call it before
   * close() of Fastify, from which on all answers say `connection: close`.
   */
  drain(): Promise<void> {
    return (this.#draining ??= this.#closePort())
  }

  /** Call this after every route, so that their streams end before the wait for connections. */
  waitForConnections(): void {
    this.#app.addHook('preClose', () => this.#closeConnections())
  }

  async #closePort(): Promise<void> {
    const { server } = this.#app
    this.#isStopping = true
    if (!server.listening) return
    if (this.#drainMs > 0) {
      this.#isClosing = true
      await pause(this.#drainMs)
    }
    await acceptWaiting(server)
    // Not close() of HTTP, which cuts idle connections even if their next request is on its way.
    Listener.prototype.close.call(server)
    this.#closedAt = performance.now()
    // Not before: anyone who has to open a new connection does it at once, while the port closes.
    this.#isClosing = true
  }

  async #closeConnections(): Promise<void> {
    while (this.#open.size > 0) {
      await pause(checkMs)
      // Reads first what has come, so that no connection counts as idle whose next request is here already.
      await nextTurn()
      const waited = performance.now() - this.#closedAt
      if (waited > idleGraceMs) {
        this.#app.server.closeIdleConnections()
        // Browsers open connections before they need them. To Node these are not idle.
        this.#close((socket) => socket.bytesRead === 0)
      }
      if (waited > arrivalMs) this.#close((_socket, request) => request?.complete !== true)
      if (waited > workMs) this.#close(() => true)
    }
  }

  #close(isOver: IsOver): void {
    for (const [socket, request] of this.#open) if (isOver(socket, request)) socket.destroy()
  }
}

/**
 * Accepts the connections that wait at the port, which its end would reset. The event loop accepts one a turn. Later
 * ones are refused.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  // The first turn may have begun before. The limit is more than may wait at a port.
  for (let turn = 0, quiet = 0; quiet < 2 && turn < 1000; turn++) {
    const before = accepted
    await nextTurn()
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}
