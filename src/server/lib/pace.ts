import { AppError } from './errors.ts'

/** How slowly a long body may come in. Only time in which the server waits for its sender counts. */
export interface Pace {
  /** The sender may be waited for this long at once. */
  patienceMs: number
  /** Below it the patience is used up. */
  bytesPerSecond: number
  /** Over all, whatever comes in. */
  maxMs: number
}

export const importPace: Pace = { patienceMs: 120_000, bytesPerSecond: 1024, maxMs: 2 * 3_600_000 }
/** The same for a picture, which has at most 10 MB. */
export const uploadPace: Pace = { ...importPace, maxMs: 30 * 60_000 }

/**
 * The same data, whose sender has to keep pace: each wait takes from its patience, each byte gives some back. Throws
 * timeout when nothing is left, also in the middle of a wait.
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
    // Not awaited: a wait that was given up may never end.
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
  // Given up, it may still fail.
  wait.catch(() => {})
  try {
    return await Promise.race([wait, over])
  } finally {
    clearTimeout(timer)
  }
}
