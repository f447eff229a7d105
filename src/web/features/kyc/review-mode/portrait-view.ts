import { applyMove, clampView, type Move, rotateSize, type Sizes, type View } from '#web/documents/pan-zoom.ts'

/**
 * Where Doc 9303 has the portrait on cards (TD1) and on the data page of passports (TD3), as shares of the picture: at
 * the left, below the heading and above the machine lines. Its middle, and how much of the height the face takes.
 */
const portrait = { x: 0.18, y: 0.43, height: 0.46 }

/** The view that fills the stage with the portrait. Two pages of a passport have it on the lower one. */
export function findPortrait({ image, stage }: Sizes, turns: number): View {
  const { width, height } = rotateSize(image, turns)
  const pages = height > width ? 2 : 1
  const zoom = stage.height / ((portrait.height * height) / pages)
  const y = (pages - 1 + portrait.y) / pages
  return { zoom, turns, x: (0.5 - portrait.x) * width * zoom, y: (0.5 - y) * height * zoom }
}

/** A view, and the height of the stage that it was made on. */
export interface PlacedView extends View {
  stageHeight: number
}

/** The view after a move; null is back at the place of the standard. */
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
