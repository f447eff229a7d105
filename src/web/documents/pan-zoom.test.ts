import { expect, test } from 'vitest'
import { moved, scaleOf, settle, startView } from './pan-zoom.ts'

const image = { width: 1000, height: 500 }
const stage = { width: 524, height: 524 }

test('an image that fits is as large as the stage allows, also turned', () => {
  expect(scaleOf(startView, image, stage)).toBe(0.5)
  expect(scaleOf({ ...startView, turns: 1 }, image, { width: 274, height: 524 })).toBe(0.5)
})

test('zooming keeps what is in the middle in the middle', () => {
  const view = { zoom: 2, turns: 0, x: 100, y: -40 }
  expect(moved(view, { type: 'in' }, image, stage)).toEqual({ zoom: 2.5, turns: 0, x: 125, y: -50 })
  expect(moved(view, { type: 'whole' }, image, stage)).toEqual({ zoom: 1, turns: 0, x: 50, y: -20 })
})

test('an image moves only as far as it is larger than the stage', () => {
  const far = moved({ ...startView, zoom: 1 }, { type: 'pan', x: 9999, y: 9999 }, image, stage)
  expect(settle(far, image, stage)).toMatchObject({ x: 238, y: 0 })
})

test('four quarter turns lead back to the start', () => {
  const view = { zoom: 2, turns: 0, x: 30, y: 10 }
  const turn = (now: typeof view | typeof startView) => moved(now, { type: 'turn' }, image, stage)
  expect(turn(view)).toEqual({ zoom: 2, turns: 1, x: -10, y: 30 })
  expect(turn(turn(turn(turn(view))))).toEqual(view)
})
