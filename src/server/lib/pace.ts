import { AppError } from './errors.ts'

/** The minimum pace of a long body. Counts only time in which the server waits for the sender. */
export interface Pace {
  /** The longest single wait. */
  patienceMs: number
  /** Below this rate the patience decreases. */
  bytesPerSecond: number
  /** The longest time in total. */
  maxMs: number
}

export const importPace: Pace = { patienceMs: 120_000, bytesPerSecond: 1024, maxMs: 2 * 3_600_000 }
/** The same for a picture of at most 10 MB. */
export const uploadPace: Pace = { ...importPace, maxMs: 30 * 60_000 }

/**
 * Passes the data on while the sender keeps pace: each wait uses up patience, each byte restores some. Throws timeout
 * when none is left, even during a wait.
 */
export async function* limitPace<Chunk extends Buffer | string>(
  source: AsyncIterable<Chunk>,
  { patienceMs, bytesPerSecond, maxMs }: Pace,
): AsyncGenerator<Chunk> {
  const ends = performance.now() + maxMs
  const chunks = source[Symbol.asyncIterator]()
  let patience = patienceMs
  try {
    for (;;) {
      const begun = performance.now()
      const left = ends - begun
      if (left <= 0) throw tookTooLongError()
      const refusal = left <= patience ? tookTooLongError : tooSlowError
      const next = await withTimeLimit(chunks.next(), Math.min(patience, left), refusal)
      if (next.done) return
      patience = Math.min(
        patienceMs,
        patience - (performance.now() - begun) + (1000 * Buffer.byteLength(next.value)) / bytesPerSecond,
      )
      yield next.value
    }
  } finally {
    // Not awaited, because an abandoned wait may never end.
    void chunks.return?.()?.catch(() => {})
  }
}

const tookTooLongError = () => new AppError('timeout', 'It took too long in all')
const tooSlowError = () => new AppError('timeout', 'The input came in too slowly')

async function withTimeLimit<T>(wait: Promise<T>, ms: number, refusal: () => AppError): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(refusal()), ms)
  })
  // The abandoned wait may still fail.
  wait.catch(() => {})
  try {
    return await Promise.race([wait, over])
  } finally {
    clearTimeout(timer)
  }
}
