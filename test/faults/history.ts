import type { Answer, HttpCall, Outcome } from './call.ts'
import type { OperationKind } from './operations.ts'

/** A change that a client intends. It may take several calls. */
export interface Operation {
  kind: OperationKind
  /** The entity that nobody else changes. */
  target: string
  /** A text that the change stores. */
  mark: string
  call: HttpCall
}

export interface RecordedCall {
  outcome: Outcome
  status: number | null
  code: string | null
  requestId: string | null
  from: number
  to: number
}

/** Everything that clients asked for, and what each of their calls came to. */
export class History {
  readonly operations = new Map<Operation, RecordedCall[]>()
  /** In the order in which the answers came. */
  readonly acknowledged: RecordedCall[] = []

  record(operation: Operation, { outcome, status, code, requestId, from, to }: Answer): void {
    const call = { outcome, status, code, requestId, from, to }
    const calls = this.operations.get(operation) ?? []
    calls.push(call)
    this.operations.set(operation, calls)
    if (outcome === 'acknowledged') this.acknowledged.push(call)
  }

  get calls(): RecordedCall[] {
    return [...this.operations.values()].flat()
  }

  /** When the first of the calls that left after `from` was acknowledged. */
  firstAcknowledgedAfter(from: number): number | undefined {
    let first: number | undefined
    for (let at = this.acknowledged.length - 1; at >= 0 && this.acknowledged[at]!.to >= from; at--)
      if (this.acknowledged[at]!.from >= from) first = this.acknowledged[at]!.to
    return first
  }
}
