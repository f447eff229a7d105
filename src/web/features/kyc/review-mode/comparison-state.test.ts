import { expect, test } from 'vitest'
import { createComparison, reduceComparison, type ComparisonState, type ComparisonAction } from './comparison-state.ts'

const sizes = { image: { width: 1000, height: 500 }, stage: { width: 524, height: 524 } }
const applyAll = (steps: ComparisonAction[], from: ComparisonState = createComparison(3)) =>
  steps.reduce(reduceComparison, from)
const measured = applyAll([0, 1, 2].map((at) => ({ type: 'measured', at, sizes })))

test('what is done to one document is done to all, until they are looked at apart', () => {
  const together = applyAll([{ type: 'move', move: { type: 'turn' }, at: 2 }], measured)
  expect(together.views.map(({ turns }) => turns)).toEqual([1, 1, 1])
  expect(together.active).toBe(2)
  const apart = applyAll(
    [{ type: 'together' }, { type: 'chosen', at: 1 }, { type: 'move', move: { type: 'in' } }],
    together,
  )
  expect(apart.views.map(({ zoom }) => zoom)).toEqual([1, 1.25, 1])
  const again = applyAll([{ type: 'together' }], apart)
  expect(again.views.map(({ zoom }) => zoom)).toEqual([1.25, 1.25, 1.25])
})

test('keys mean a document that is there when the active one is not', () => {
  const oneMissing = applyAll([{ type: 'measured', at: 0, sizes: null }], measured)
  expect(applyAll([{ type: 'move', move: { type: 'in' } }], oneMissing).active).toBe(1)
  expect(applyAll([{ type: 'move', move: { type: 'in' } }])).toEqual(createComparison(3))
})
