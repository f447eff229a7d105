import type { chainFaultKinds } from '#contract/security.ts'

/** Where the log is not what was sealed. `seq` is the number of the chain that is bad. */
export interface ChainFault {
  seq: string
  auditId: string | null
  kind: (typeof chainFaultKinds)[number]
}

/** A fault, and the row of the log that shows it. */
export interface ShownFault extends ChainFault {
  /** How many entries from `seq` on have the same fault. */
  count: number
  /** The row itself, or the one beside entries that are gone. Null if no row is left. */
  shownAt: string | null
  /** Where the entries that are gone were, seen from that row. Null if the row itself is bad. */
  side: 'before' | 'after' | null
}

/** More faults are counted, and not listed. */
export const mostFaults = 100

/** Numbers of an altered chain can be of any size. */
const toCount = (count: bigint) => (count > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(count))

/** Collects the faults of a chain in its order. */
export class FaultList {
  readonly faults: ShownFault[] = []
  #entries = 0n
  #lastRow: string | null = null
  /** Entries without a row since the last row. */
  #gone: ShownFault[] = []

  get badEntries(): number {
    return toCount(this.#entries)
  }

  /** Names a row that is bad itself. */
  addRow(fault: ChainFault): void {
    this.#add({ ...fault, count: 1, shownAt: fault.auditId, side: null }, 1n)
  }

  /** Names entries that are gone. The next row shows them. */
  addGone(fault: ChainFault, count = 1n): void {
    const last = this.#gone.at(-1)
    if (last?.kind === fault.kind) {
      this.#entries += count
      last.count = toCount(BigInt(last.count) + count)
      return
    }
    const added: ShownFault = { ...fault, count: toCount(count), shownAt: null, side: 'before' }
    this.#add(added, count)
    this.#gone.push(added)
  }

  /** Call this at each row that is there, in the order of the chain. */
  passRow(id: string): void {
    for (const fault of this.#gone) fault.shownAt = id
    this.#gone = []
    this.#lastRow = id
  }

  /** Call this after the last row. It shows what is gone behind it. */
  end(): void {
    for (const fault of this.#gone) Object.assign(fault, { shownAt: this.#lastRow, side: 'after' })
    this.#gone = []
  }

  /** Adds what further checks found: some faults, and the number of all entries that have them. */
  addFound(faults: readonly ShownFault[], entries: bigint): void {
    this.#entries += entries
    this.faults.push(...faults.slice(0, mostFaults - this.faults.length))
  }

  get lastRow(): string | null {
    return this.#lastRow
  }

  #add(fault: ShownFault, entries: bigint): void {
    this.#entries += entries
    if (this.faults.length < mostFaults) this.faults.push(fault)
  }
}

const faultTexts: Record<ChainFault['kind'], string> = {
  changed: 'the row or its place in the chain was changed',
  deleted: 'the row was deleted',
  missing: 'an entry of the chain is missing',
  cut: 'the end of the chain was cut off: a checkpoint outside the database has more',
  unsealed: 'a row was put in before rows that are sealed',
  unknown_key: 'it was sealed with a key that is not here',
}

/** One sentence for operators. */
export function describeFault({ seq, auditId, kind }: ChainFault): string {
  const row = auditId === null ? '' : ` (row ${auditId} of the audit log)`
  return `The first bad entry is ${seq}${row}: ${faultTexts[kind]}`
}
