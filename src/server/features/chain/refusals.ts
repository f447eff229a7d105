import { RpcError } from '#server/adapters/json-rpc.ts'

/** Why a node does not answer a range of logs: a rule of its own about ranges, or that this one holds too much. */
export type Refusal = 'range' | 'too_much'

const tooMuch =
  /too (many|much|large)|more than [\d,]+ (results|logs|entries)|query returned|results? (limit|size|exceed)|response (size|is too)|(body|payload|content) size|logs? (limit|exceed)|timed? ?out|HTTP 413|more than 20 MB/i
/** It is about how often we ask, not about what: the next node is asked. */
const tooOften = /too many (requests?|calls)|rate[ -]?limit|requests? rate/i
const range =
  /(block|log)s?[ _-]?(range|distance|span)|range (is )?(too|limit|exceed)|(range|limit|max\w*|up to|exceed\w*)\D{0,40}\d[\d,]* blocks?|[\d,]+ blocks? (range|limit|max)|blocks? (limit|exceed)|exceed\w* max\w* (block )?range/i

/** Nodes have no common code for it, so their words decide; undefined where the node failed otherwise. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof RpcError) || tooOften.test(error.message)) return undefined
  if (/results|logs? (limit|exceed)|response/i.test(error.message) && tooMuch.test(error.message)) return 'too_much'
  if (range.test(error.message)) return 'range'
  return tooMuch.test(error.message) && error.failure !== 'timeout' ? 'too_much' : undefined
}

/** A range that a node refuses; it may answer a shorter one. */
export class TooWide extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(`the node refuses the range: ${refusal}`)
    this.refusal = refusal
  }
}
