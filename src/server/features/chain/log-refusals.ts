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
