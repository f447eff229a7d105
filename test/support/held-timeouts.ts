import { vi } from 'vitest'

interface HeldCall {
  url: string
  limit: AbortController
  /** Settles with the headers of the answer. */
  begun: Promise<unknown>
}

export interface HeldTimeouts {
  /** The milliseconds of each limit that was asked for. */
  asked: number[]
  /** The time of all calls to this URL is over. */
  expire(url: string): void
  /** The same for each call as soon as the headers of its answer are there. */
  expireBody(url: string): void
}

/** For the rest of the file, no `AbortSignal.timeout` of a `fetch` ends by the clock, but when the test says so. */
export function holdTimeouts(): HeldTimeouts {
  const limits = new WeakMap<AbortSignal, AbortController>()
  const asked: number[] = []
  let calls: HeldCall[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    limits.set(limit.signal, limit)
    asked.push(ms)
    return limit.signal
  })
  const send = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const answer = send(input, init)
    const limit = init?.signal && limits.get(init.signal)
    if (limit && typeof input === 'string') calls.push({ url: input, limit, begun: answer.catch(() => {}) })
    return answer
  })
  function takeCalls(url: string): HeldCall[] {
    const taken = calls.filter((call) => call.url === url)
    calls = calls.filter((call) => call.url !== url)
    return taken
  }
  return {
    asked,
    expire(url) {
      for (const { limit } of takeCalls(url)) limit.abort()
    },
    expireBody(url) {
      for (const { limit, begun } of takeCalls(url)) void begun.then(() => limit.abort())
    },
  }
}
