import { createReadStream } from 'node:fs'
import pg from 'pg'

/** What pg passes to its own queries. It has no public call for `COPY … FROM STDIN`. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: NodeJS.WritableStream & { writableNeedDrain: boolean }
}

/** One `COPY … FROM STDIN` over pg's own connection, in the form of query that `client.query` takes. */
class CopyFrom {
  readonly done: Promise<void>
  readonly #text: string
  readonly #source: AsyncIterable<Buffer>
  #resolve: () => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(text: string, source: AsyncIterable<Buffer>) {
    this.#text = text
    this.#source = source
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(wire: Wire): void {
    wire.query(this.#text)
  }

  handleCopyInResponse(wire: Wire): void {
    this.#send(wire).catch((error: unknown) => wire.sendCopyFail(String(error)))
  }

  async #send(wire: Wire) {
    for await (const chunk of this.#source) {
      wire.sendCopyFromChunk(chunk)
      if (wire.stream.writableNeedDrain) await new Promise((drained) => wire.stream.once('drain', drained))
    }
    wire.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve()
  }

  handleError(error: Error): void {
    this.#reject(error)
  }
}

/** Copies a file of rows into a table by one `COPY`. Returns the seconds it took. */
export async function copyFile(connection: pg.ClientConfig, table: string, file: string): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const begun = performance.now()
    const copy = new CopyFrom(`COPY ${table} FROM STDIN`, createReadStream(file, { highWaterMark: 256 * 1024 }))
    client.query(copy as unknown as pg.Submittable)
    await copy.done
    return (performance.now() - begun) / 1000
  } finally {
    await client.end()
  }
}
