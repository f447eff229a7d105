import { createServer, type AddressInfo, type Socket } from 'node:net'
import { dialCluster } from './cluster.ts'

/** What a client of PostgreSQL sends, message by message, with the SQL of each statement that is to run. */
class ClientMessages {
  #rest = Buffer.alloc(0)
  #isStarted = false
  #parsed = ''
  readonly #named = new Map<string, string>()
  #bound = ''

  /** The SQL of a message that runs it: a simple query, or the execution of what was parsed and bound before. */
  #statementOf(message: Buffer): string | undefined {
    const type = String.fromCharCode(message[0]!)
    const [first = '', second = ''] = message.toString('utf8', 5).split('\0', 2)
    if (type === 'P') {
      this.#parsed = second
      if (first) this.#named.set(first, second)
    }
    if (type === 'B') this.#bound = this.#named.get(second) ?? this.#parsed
    if (type === 'Q') return first
    return type === 'E' ? this.#bound : undefined
  }

  *take(bytes: Buffer): Generator<{ bytes: Buffer; statement: string | undefined }> {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      // Only the first message has no type before its length.
      const start = this.#isStarted ? 1 : 0
      if (this.#rest.length < start + 4) return
      const end = start + this.#rest.readInt32BE(start)
      if (this.#rest.length < end) return
      const message = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      this.#isStarted = true
      yield { bytes: message, statement: start ? this.#statementOf(message) : undefined }
    }
  }
}

export interface Cut {
  /** Which statement is the last: its number from 1 since `restart`, or what its SQL says. */
  at: number | RegExp
  /** Whether PostgreSQL still runs it, so that only its answer is lost. */
  isForwarded: boolean
  /** `connection`: that one alone. `server`: all of them, and no new one until `restart`, as if the server had died. */
  what: 'connection' | 'server'
}

/** A proxy between a console and the tests' PostgreSQL that cuts the connection once, at a given statement. */
export async function startConnectionCutter() {
  const open = new Set<Socket>()
  const statements: string[] = []
  let plan: Cut | undefined
  let isDead = false

  const isHit = (statement: string) =>
    typeof plan?.at === 'number' ? statements.length === plan.at : plan?.at.test(statement)

  const proxy = createServer((client) => {
    if (isDead) return client.on('error', () => {}).destroy()
    const upstream = dialCluster()
    const messages = new ClientMessages()
    let lost: Cut['what'] | undefined
    const close = () => {
      for (const socket of [client, upstream]) {
        socket.destroy()
        open.delete(socket)
      }
    }
    const cut = (what: Cut['what']) => {
      close()
      if (what === 'connection') return
      isDead = true
      for (const socket of open) socket.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', close).on('close', close)
    }
    client.on('data', (bytes) => {
      for (const { bytes: message, statement } of messages.take(bytes)) {
        if (statement !== undefined) {
          statements.push(statement)
          if (plan && isHit(statement)) {
            const { what, isForwarded } = plan
            plan = undefined
            if (!isForwarded) return cut(what)
            lost = what
          }
        }
        upstream.write(message)
      }
    })
    upstream.on('data', (bytes) => (lost ? cut(lost) : client.write(bytes)))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    connection: { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port },
    /** What has come since `restart`, in order. */
    statements,
    cut(next: Cut) {
      plan = next
    },
    /** Lets connections through again and counts again. */
    restart() {
      isDead = false
      plan = undefined
      statements.length = 0
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
