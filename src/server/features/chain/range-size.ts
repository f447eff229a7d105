import { RpcError } from '#server/adapters/json-rpc.ts'

/** Why a node answers headers but not the logs of a range. */
export interface LogsRefusal {
  /** The range contains too many logs. Otherwise the node limits the range by a rule. */
  isTooMuch: boolean
  /** The number of blocks that the node allows, if it says so. */
  limit: number | undefined
}

const tooMuch =
  /too (many|much) (results|logs|events|entries)|more than [\d,]+ (results|logs|entries)|query returned|results? (limit|size|exceed)|(response|body|payload|content|entity) (size|is too|too)|logs? (limit|exceed|matched)|timed? ?out|HTTP 413|more than 20 MB/i
const rule = /block|range|limit|max|exceed/i

/** Whether a shorter range may succeed after this error. Not if the node timed out or is busy. */
export const isPossibleLogsRefusal = (error: unknown): error is RpcError =>
  error instanceof RpcError &&
  error.failure !== 'timeout' &&
  error.failure !== 'wrong_network' &&
  !(error.failure === 'busy' && error.code === 429)

/** Parses the message of a node, because nodes have no common code for this refusal. */
export function readRefusal({ message }: RpcError, blocks: number): LogsRefusal {
  if (tooMuch.test(message)) return { isTooMuch: true, limit: undefined }
  const numbers = rule.test(message) ? (message.match(/\b\d[\d,]*\b/g) ?? []) : []
  const limits = numbers.map((text) => Number(text.replaceAll(',', ''))).filter((n) => n >= 1 && n < blocks)
  return { isTooMuch: false, limit: limits.length > 0 ? Math.min(...limits) : undefined }
}

/** Every node refuses the logs of a range. A shorter range may succeed. */
export class LogsRefusedError extends Error {
  readonly refusal: LogsRefusal
  constructor(refusal: LogsRefusal) {
    super('the nodes refuse the logs of a range')
    this.refusal = refusal
  }
}

/** After this many answered ranges the limit is raised again: it may have been another node's, or has changed. */
const retryAfterRanges = 500

/** How many blocks to request at once, learned from what nodes refuse. */
export class RangeSize {
  readonly #most: number
  #ceiling: number
  #size: number
  #answered = 0

  constructor(most: number) {
    this.#most = most
    this.#ceiling = most
    this.#size = most
  }

  get size(): number {
    return this.#size
  }

  /** A rule lowers the ceiling. A range with too many logs, or one refused block, says nothing about other ranges. */
  recordRefusal(asked: number, { isTooMuch, limit }: LogsRefusal): void {
    this.#size = limit ?? Math.max(1, Math.floor(asked / 2))
    if (asked === 1) this.#ceiling = this.#most
    else if (!isTooMuch) this.#ceiling = Math.min(this.#ceiling, limit ?? asked - 1)
  }

  recordAnswer(asked: number): void {
    if (++this.#answered % retryAfterRanges === 0) this.#ceiling = Math.min(this.#most, this.#ceiling * 2)
    if (asked >= this.#size) this.#size = Math.min(this.#ceiling, Math.ceil(this.#size * 1.5))
  }
}
