import { RpcError } from '#server/adapters/json-rpc.ts'

/** Why a node answers no logs of a range though it answers headers. */
export interface LogsRefusal {
  /** The range holds too many logs: a matter of this stretch alone. Else the node has some rule. */
  isTooMuch: boolean
  /** As many blocks as the node says that it answers, where it says so. */
  limit: number | undefined
}

const tooMuch =
  /too (many|much) (results|logs|events|entries)|more than [\d,]+ (results|logs|entries)|query returned|results? (limit|size|exceed)|(response|body|payload|content|entity) (size|is too|too)|logs? (limit|exceed|matched)|timed? ?out|HTTP 413|more than 20 MB/i
const rule = /block|range|limit|max|exceed/i

/** Whether a node that failed so may answer a shorter range; a node that is late or busy may not. */
export const isPossibleLogsRefusal = (error: unknown): error is RpcError =>
  error instanceof RpcError &&
  error.failure !== 'timeout' &&
  error.failure !== 'wrong_network' &&
  !(error.failure === 'busy' && error.code === 429)

/** Nodes have no common code for it, so it is read from their words, as far as these say anything. */
export function readRefusal({ message }: RpcError, blocks: number): LogsRefusal {
  if (tooMuch.test(message)) return { isTooMuch: true, limit: undefined }
  const numbers = rule.test(message) ? (message.match(/\b\d[\d,]*\b/g) ?? []) : []
  const limits = numbers.map((text) => Number(text.replaceAll(',', ''))).filter((n) => n >= 1 && n < blocks)
  return { isTooMuch: false, limit: limits.length > 0 ? Math.min(...limits) : undefined }
}

/** All nodes refuse the logs of a range; they may answer a shorter one. */
export class LogsRefusedError extends Error {
  readonly refusal: LogsRefusal
  constructor(refusal: LogsRefusal) {
    super('the nodes refuse the logs of a range')
    this.refusal = refusal
  }
}
