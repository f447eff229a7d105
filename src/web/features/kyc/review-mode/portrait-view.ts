import type { Move, Sizes, View } from '#web/documents/pan-zoom.ts'
import { applyMove, calculateScale, clampView, rotateSize } from '#web/documents/pan-zoom.ts'

/**
 * Where the general layout of cards and data pages has the portrait, as shares of the picture: its middle, and how much
 * of the height is shown. A guess that one document or photo may not follow: the face can be elsewhere.
 */
const portrait = { x: 0.18, y: 0.43, height: 0.46 }

/** The view at the guessed portrait. A picture higher than wide counts as two pages, with it on the lower one. */
export function findPortrait({ image, stage }: Sizes, turns: number): View {
  const { width, height } = rotateSize(image, turns)
  const pages = height > width ? 2 : 1
  const view = { zoom: stage.height / ((portrait.height * height) / pages), turns, x: 0, y: 0 }
  // A small picture is drawn no larger than its largest scale.
  const zoom = calculateScale(view, image, stage)
  const y = (pages - 1 + portrait.y) / pages
  return { ...view, zoom, x: (0.5 - portrait.x) * width * zoom, y: (0.5 - y) * height * zoom }
}

/** A view, and the height of the stage that it was made on. */
export interface PlacedView extends View {
  stageHeight: number
}

/** The view after a move; null is back at the guess. */
export const movePortrait = (view: View, move: Move, { image, stage }: Sizes): PlacedView | null =>
  move.type === 'fit'
    ? null
    : { ...clampView(applyMove(view, move, image, stage), image, stage), stageHeight: stage.height }

/** The same part of the picture on a stage of another size, turned as the document is. */
export function placeAgain(placed: PlacedView, turns: number, { image, stage }: Sizes): View {
  const { stageHeight, ...view } = placed
  const scale = stage.height / stageHeight
  let shown: View = { ...view, zoom: Number(view.zoom) * scale, x: view.x * scale, y: view.y * scale }
  while (shown.turns !== turns % 4) shown = applyMove(shown, { type: 'turn' }, image, stage)
  return shown
}
