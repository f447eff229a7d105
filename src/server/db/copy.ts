import { Readable } from 'node:stream'
import type pg from 'pg'

/** What pg passes to its queries. It has no public call for COPY. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: NodeJS.ReadWriteStream & { writableNeedDrain: boolean }
}

/** The database sends each row alone. Rows are handed on in pieces of this size. */
const pieceBytes = 256 * 1024

const countOf = ({ text }: { text: string }) => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)

/** One `COPY … TO STDOUT`: its text form, as a stream. */
class CopyTo extends Readable {
  /** The rows that came. Known at the end of the stream. */
  rows = 0
  readonly #text: string
  #wire: Wire | undefined
  #piece = Buffer.allocUnsafe(pieceBytes)
  #filled = 0

  constructor(text: string) {
    super({ highWaterMark: 2 * pieceBytes })
    this.#text = text
  }

  submit(wire: Wire): void {
    this.#wire = wire
    wire.query(this.#text)
  }

  override _read(): void {
    this.#wire?.stream.resume()
  }

  /** A stream that is given up lets the rest of the rows pass, so that the connection can be closed. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#wire?.stream.resume()
    callback(error)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.destroyed) return
    // pg uses its buffer again, so that what is kept has to be copied.
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.#piece, this.#filled, at)
      this.#filled += copied
      at += copied
      if (this.#filled === pieceBytes) this.#handOn()
    }
  }

  #handOn(): void {
    const piece = this.#piece.subarray(0, this.#filled)
    this.#piece = Buffer.allocUnsafe(pieceBytes)
    this.#filled = 0
    if (!this.push(piece)) this.#wire?.stream.pause()
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows = countOf(message)
  }

  handleReadyForQuery(): void {
    // A stream that has ended is never read again, and the connection goes on.
    this.#wire?.stream.resume()
    if (this.destroyed) return
    if (this.#filled > 0) this.push(this.#piece.subarray(0, this.#filled))
    this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }
}

/** One `COPY … FROM STDIN`. */
class CopyFrom {
  readonly done: Promise<number>
  readonly #text: string
  readonly #source: AsyncIterable<Buffer>
  #rows = 0
  #failure: unknown
  #isSending = false
  #resolve: (rows: number) => void = () => {}
  #reject: (error: unknown) => void = () => {}

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
    this.#isSending = true
    this.#send(wire).catch((error: unknown) => {
      // What the source says is the reason, and not that the database was told to give up.
      this.#failure = error
      wire.sendCopyFail('the rows cannot be read')
    })
  }

  async #send(wire: Wire): Promise<void> {
    for await (const chunk of this.#source) {
      if (!this.#isSending) return
      wire.sendCopyFromChunk(chunk)
      if (wire.stream.writableNeedDrain) await waitForDrain(wire.stream)
    }
    wire.endCopyFrom()
  }

  handleCommandComplete(message: { text: string }): void {
    this.#rows = countOf(message)
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.#isSending = false
    this.#reject(this.#failure ?? error)
  }
}

/** Ends with the connection too, so that nobody waits for one that is gone. */
const waitForDrain = (stream: NodeJS.WritableStream) =>
  new Promise<void>((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end)
      resolve()
    }
    stream.on('drain', end).on('close', end)
  })

const submit = (client: pg.ClientBase, query: object) => void client.query(query as pg.Submittable)

/** Runs a `COPY … TO STDOUT` and streams its rows as text. The number of rows is known at the end. */
export function copyTo(client: pg.ClientBase, text: string): Readable & { rows: number } {
  const copy = new CopyTo(text)
  submit(client, copy)
  return copy
}

/** Runs a `COPY … FROM STDIN` over these bytes. Returns the number of rows. Throws what the source or the database throws. */
export function copyFrom(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const copy = new CopyFrom(text, source)
  submit(client, copy)
  return copy.done
}
