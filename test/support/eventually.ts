import { vi } from 'vitest'

/** Repeats `check` until it passes, for at most `seconds`: time enough on a busy machine, none lost on a quiet one. */
export const eventually = <Result>(check: () => Result | Promise<Result>, seconds = 60): Promise<Result> =>
  vi.waitFor(check, { timeout: seconds * 1000, interval: 25 })
