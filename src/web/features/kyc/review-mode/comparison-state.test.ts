import { expect, test } from 'vitest'
import {
  areTwoWide,
  createComparison,
  reduceComparison,
  type ComparisonState,
  type ComparisonAction,
} from './comparison-state.ts'

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

test('a document chosen again takes the stage, which the next chosen one keeps', () => {
  const second: ComparisonAction = { type: 'chosen', at: 1 }
  const large = applyAll([second, second], measured)
  expect([large.active, large.isLarge]).toEqual([1, true])
  const moved = applyAll([{ type: 'move', move: { type: 'in' }, at: 2 }], large)
  expect(moved.active).toBe(1)
  const other = applyAll([{ type: 'chosen', at: 0 }], moved)
  expect([other.active, other.isLarge]).toEqual([0, true])
  expect(applyAll([{ type: 'chosen', at: 0 }], other).isLarge).toBe(false)
})

test('two wide pictures are known once both have loaded', () => {
  const high = { ...sizes, image: { width: 500, height: 1000 } }
  const isWide = (...all: (typeof sizes)[]) =>
    areTwoWide(
      applyAll(
        all.map((each, at) => ({ type: 'measured', at, sizes: each })),
        createComparison(2),
      ),
    )
  expect([isWide(sizes), isWide(sizes, high), isWide(sizes, sizes)]).toEqual([false, false, true])
  expect(areTwoWide(measured)).toBe(false)
})

test('keys mean a document that is there when the active one is not', () => {
  const oneMissing = applyAll([{ type: 'measured', at: 0, sizes: null }], measured)
  expect(applyAll([{ type: 'move', move: { type: 'in' } }], oneMissing).active).toBe(1)
  expect(applyAll([{ type: 'move', move: { type: 'in' } }])).toEqual(createComparison(3))
})
