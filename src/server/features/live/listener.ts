import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Connection, DatabaseClient, withSessionSettings } from '#server/db/connection.ts'
import { keepAliveSql } from '#server/db/own-server.ts'

interface Options {
  connection: Connection
  channels: string[]
  log: FastifyBaseLogger
  onNotification: (channel: string, payload: string) => void
  /** The connection listens (again). Earlier notifications are lost. */
  onListening: () => void
}

const longestPause = 5000

/** A connection that listens for notifications. Reconnects with growing pauses until it is closed. */
export class Listener {
  readonly #options: Options
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  #client: DatabaseClient | undefined

  constructor(options: Options) {
    this.#options = options
    this.#ended = this.#run()
  }

  /** Checks the connection. If it does not answer, drops it and reconnects. */
  async ping(): Promise<void> {
    const client = this.#client
    const isGone = await client?.query('SELECT 1').then(
      () => false,
      () => true,
    )
    if (isGone) await client?.end().catch(() => {})
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client?.end().catch(() => {})
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    for (let failures = 0; !signal.aborted; failures++) {
      const startedAt = Date.now()
      await this.#listenOnce().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the connection that listens for changes broke; a new one is opened')
      })
      if (Date.now() - startedAt > longestPause) failures = 0
      if (!signal.aborted)
        await pause(Math.min(longestPause, 100 * 2 ** failures), undefined, { signal }).catch(() => {})
    }
  }

  /** Listens until the connection breaks. */
  async #listenOnce(): Promise<void> {
    const { connection, channels, onNotification, onListening } = this.#options
    const client = new DatabaseClient({
      ...withSessionSettings(connection),
      keepAlive: true,
      query_timeout: 5000,
      application_name: 'back-office live',
    })
    const broken = new Promise<void>((resolve, reject) => {
      client.once('end', resolve)
      client.once('error', reject)
    })
    // Nobody awaits it while connecting. Connecting then fails with the same error.
    broken.catch(() => {})
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload))
    this.#client = client
    try {
      await client.connect()
      await client.query([keepAliveSql, ...channels.map((channel) => `LISTEN ${channel}`)].join('; '))
      if (this.#closing.signal.aborted) return
      onListening()
      await broken
    } finally {
      this.#client = undefined
      await client.end().catch(() => {})
    }
  }
}
