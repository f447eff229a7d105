import { expect, test } from 'vitest'
import type { AuditFault } from '#contract/schemas/security.ts'
import { describeShownFault, findFirstShown, groupFaults } from './fault-words.ts'

const fault = (given: Partial<AuditFault>): AuditFault => ({
  seq: '7',
  rowId: '97',
  kind: 'changed',
  count: 1,
  shownAt: '97',
  side: null,
  ...given,
})

test.each([
  [fault({ kind: 'deleted', side: 'before' }), 'Just before this row entry 7 was deleted from the log.'],
  [
    fault({ kind: 'deleted', side: 'after', count: 1200 }),
    'Just after this row 1,200 entries from 7 on were deleted from the log.',
  ],
  [fault({ kind: 'missing', side: 'before', count: 2 }), 'Just before this row the chain lacks 2 entries from 7 on.'],
  [
    fault({ kind: 'cut', side: 'after', count: 3 }),
    'Just after this row 3 entries from 7 on were cut off: a checkpoint outside the database has more.',
  ],
])('entries that are gone are named beside a neighbour (product 5.12)', (given, words) => {
  expect(describeShownFault(given)).toBe(words)
})

test('a row shows all of its faults', () => {
  const faults = [
    fault({ seq: '3', shownAt: null }),
    fault({ seq: '4', shownAt: '12' }),
    fault({ seq: '5', shownAt: '12' }),
  ]
  expect([...groupFaults(faults)]).toEqual([['12', faults.slice(1)]])
  expect(findFirstShown(faults)).toBe('12')
  expect(findFirstShown([])).toBeUndefined()
})
