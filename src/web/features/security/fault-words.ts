import type { AuditFault } from '#contract/schemas/security.ts'
import { formatCount } from '#web/lib/money.ts'

/** "1 entry", "1,204 entries". */
export const countEntries = (count: number): string => `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`

/** What a row is marked with. */
export const faultLabels: Record<AuditFault['kind'], string> = {
  changed: 'Altered',
  deleted: 'Row missing',
  missing: 'Entry missing',
  cut: 'End cut off',
  unsealed: 'Not sealed',
  unknown_key: 'Unknown key',
}

/** "entry 7", "3 entries from 7 on". */
const nameEntries = ({ seq, count }: AuditFault) =>
  count === 1 ? `entry ${seq}` : `${countEntries(count)} from ${seq} on`

const verbOf = ({ count }: AuditFault) => (count === 1 ? 'was' : 'were')

/** The fault in a sentence beside the row that shows it. Rows that are gone are named beside a neighbour. */
export function describeShownFault(fault: AuditFault): string {
  const beside = fault.side === 'after' ? 'Just after this row' : 'Just before this row'
  switch (fault.kind) {
    case 'changed':
      return 'This row, or its place in the chain, is not what was sealed.'
    case 'unsealed':
      return 'This row stands among sealed ones and has no entry in the chain.'
    case 'unknown_key':
      return 'This row was sealed with a key that is not here, so nothing proves it.'
    case 'deleted':
      return `${beside} ${nameEntries(fault)} ${verbOf(fault)} deleted from the log.`
    case 'missing':
      return `${beside} the chain lacks ${nameEntries(fault)}.`
    case 'cut':
      return `${beside} ${nameEntries(fault)} ${verbOf(fault)} cut off: a checkpoint outside the database has more.`
  }
}

/** The faults by the row that shows them. */
export function groupFaults(faults: readonly AuditFault[]): ReadonlyMap<string, AuditFault[]> {
  const groups = new Map<string, AuditFault[]>()
  for (const fault of faults)
    if (fault.shownAt !== null) groups.set(fault.shownAt, [...(groups.get(fault.shownAt) ?? []), fault])
  return groups
}

/** The row that shows the first fault. */
export const findFirstShown = (faults: readonly AuditFault[]): string | undefined =>
  faults.find(({ shownAt }) => shownAt !== null)?.shownAt ?? undefined
