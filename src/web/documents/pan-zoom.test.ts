import { expect, test } from 'vitest'
import { applyMove, calculateScale, clampView, initialView } from './pan-zoom.ts'
import { applySharedMove, initialSharedView, toView } from './shared-view.ts'

const image = { width: 1000, height: 500 }
const stage = { width: 524, height: 524 }

test('an image that fits is as large as the stage allows, also turned', () => {
  expect(calculateScale(initialView, image, stage)).toBe(0.5)
  expect(calculateScale({ ...initialView, turns: 1 }, image, { width: 274, height: 524 })).toBe(0.5)
})

test('zooming keeps what is in the middle in the middle', () => {
  const view = { zoom: 2, turns: 0, x: 100, y: -40 }
  expect(applyMove(view, { type: 'in' }, image, stage)).toEqual({ zoom: 2.5, turns: 0, x: 125, y: -50 })
  expect(applyMove(view, { type: 'whole' }, image, stage)).toEqual({ zoom: 1, turns: 0, x: 50, y: -20 })
})

test('an image moves only as far as it is larger than the stage', () => {
  const far = applyMove({ ...initialView, zoom: 1 }, { type: 'pan', x: 9999, y: 9999 }, image, stage)
  expect(clampView(far, image, stage)).toMatchObject({ x: 238, y: 0 })
})

test('four quarter turns lead back to the start', () => {
  const view = { zoom: 2, turns: 0, x: 30, y: 10 }
  const turn = (now: typeof view | typeof initialView) => applyMove(now, { type: 'turn' }, image, stage)
  expect(turn(view)).toEqual({ zoom: 2, turns: 1, x: -10, y: 30 })
  expect(turn(turn(turn(turn(view))))).toEqual(view)
})

test('zooming at a place keeps what is there in its place', () => {
  const view = { zoom: 1, turns: 0, x: 30, y: 0 }
  expect(applyMove(view, { type: 'zoom', by: 2, x: 130, y: 10 }, image, stage)).toEqual({
    zoom: 2,
    turns: 0,
    x: -70,
    y: -10,
  })
})

const card = { image, stage }
const selfie = { image: { width: 600, height: 800 }, stage: { width: 324, height: 824 } }

test('what is done to one image is done to another of any size, in its own measure', () => {
  const zoomed = [1, 2, 3, 4].reduce((now) => applySharedMove(now, { type: 'in' }, card), initialSharedView)
  expect(zoomed.zoom).toBeCloseTo(1.25 ** 4)
  expect(toView(zoomed, selfie).zoom).toBeCloseTo(0.5 * 1.25 ** 4)
  const panned = applySharedMove(zoomed, { type: 'pan', x: -50, y: 0 }, card)
  const [one, other] = [toView(panned, card), toView(panned, selfie)]
  expect(one.x / (1000 * calculateScale(one, image, stage))).toBeCloseTo(panned.x)
  expect(other.x / (600 * calculateScale(other, selfie.image, selfie.stage))).toBeCloseTo(panned.x)
  expect(toView(applySharedMove(panned, { type: 'turn' }, card), selfie).turns).toBe(1)
})

test('images viewed together never become smaller than what fits', () => {
  expect(applySharedMove(initialSharedView, { type: 'out' }, card)).toEqual(initialSharedView)
  const zoomed = applySharedMove(initialSharedView, { type: 'zoom', by: 3, x: 90, y: 0 }, card)
  expect(applySharedMove(zoomed, { type: 'fit' }, card)).toEqual(initialSharedView)
})
