import { expect, test } from 'vitest'
import { findPortrait, placeAgain } from './portrait-view.ts'

const stage = { width: 105, height: 135 }
const card = { image: { width: 856, height: 540 }, stage }

/** What of the picture is in the middle of the stage, in shares of the picture as it is turned. */
const middleOf = ({ zoom, x, y }: ReturnType<typeof findPortrait>, width: number, height: number) => {
  const scale = Number(zoom)
  return [0.5 - x / (width * scale), 0.5 - y / (height * scale)].map((share) => Number(share.toFixed(3)))
}

test('the portrait of a card fills the stage, at the place of the general layout', () => {
  const view = findPortrait(card, 0)
  expect(middleOf(view, 856, 540)).toEqual([0.18, 0.43])
  expect(Number(view.zoom) * 0.46 * 540).toBeCloseTo(135)
})

test('two pages of a passport have it on the lower one', () => {
  expect(middleOf(findPortrait({ image: { width: 600, height: 840 }, stage }, 0), 600, 840)).toEqual([0.18, 0.715])
})

test('of a picture too small to fill the stage the same place is in the middle', () => {
  const view = findPortrait({ image: { width: 20, height: 12 }, stage }, 0)
  expect([view.zoom, ...middleOf(view, 20, 12)]).toEqual([8, 0.18, 0.43])
})

test('a picture that lies on its side has it where it is once the picture is turned', () => {
  const view = findPortrait({ image: { width: 540, height: 856 }, stage }, 1)
  expect([view.turns, ...middleOf(view, 856, 540)]).toEqual([1, 0.18, 0.43])
})

test('what was moved stays in the middle of a turned picture or a larger stage', () => {
  const moved = { zoom: 1, turns: 0, x: 30, y: -20, stageHeight: 135 }
  expect(placeAgain(moved, 1, card)).toEqual({ zoom: 1, turns: 1, x: 20, y: 30 })
  const grown = { ...card, stage: { width: 210, height: 270 } }
  expect(placeAgain(moved, 0, grown)).toEqual({ zoom: 2, turns: 0, x: 60, y: -40 })
})
