export interface Size {
  width: number
  height: number
}

/** The sizes that a view depends on. */
export interface Sizes {
  image: Size
  stage: Size
}

export interface View {
  /** Screen pixels to one pixel of the image; `fit` is as large as the stage allows. */
  zoom: number | 'fit'
  /** Quarter turns, clockwise. */
  turns: number
  /** How far the image's middle is from the stage's, in pixels. */
  x: number
  y: number
}

export const initialView: View = { zoom: 'fit', turns: 0, x: 0, y: 0 }

const zoomStep = 1.25
const [minScale, maxScale] = [0.05, 8]
/** Room left around an image that fits, in pixels on both sides together. */
const margin = 24
const clamp = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value))

/** The size of the image after its turns. */
export const rotateSize = ({ width, height }: Size, turns: number): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The scale that `view` shows the image at. */
export function calculateScale({ zoom, turns }: View, image: Size, stage: Size): number {
  if (zoom !== 'fit') return clamp(minScale, zoom, maxScale)
  const { width, height } = rotateSize(image, turns)
  return clamp(minScale, Math.min((stage.width - margin) / width, (stage.height - margin) / height), maxScale)
}

/** Keeps the image visible: it moves only as far as it exceeds the stage. */
export function clampView(view: View, image: Size, stage: Size): View {
  const scale = calculateScale(view, image, stage)
  const { width, height } = rotateSize(image, view.turns)
  const [overflowX, overflowY] = [
    Math.max(0, width * scale - stage.width) / 2,
    Math.max(0, height * scale - stage.height) / 2,
  ]
  return { ...view, x: clamp(-overflowX, view.x, overflowX), y: clamp(-overflowY, view.y, overflowY) }
}

export type Move =
  | { type: 'in' | 'out' | 'fit' | 'whole' | 'turn' }
  | { type: 'pan'; x: number; y: number }
  /** `by` times as large; what is at `x`, `y` (from the stage's middle) stays where it is. */
  | { type: 'zoom'; by: number; x: number; y: number }

/** The view after a move. A zoom step keeps the middle in place. */
export function applyMove(view: View, move: Move, image: Size, stage: Size): View {
  const scale = calculateScale(view, image, stage)
  const zoomTo = (wanted: number, x = 0, y = 0): View => {
    const zoom = clamp(minScale, wanted, maxScale)
    return { ...view, zoom, x: x + ((view.x - x) * zoom) / scale, y: y + ((view.y - y) * zoom) / scale }
  }
  switch (move.type) {
    case 'in':
      return zoomTo(scale * zoomStep)
    case 'out':
      return zoomTo(scale / zoomStep)
    case 'whole':
      return zoomTo(1)
    case 'zoom':
      return zoomTo(scale * move.by, move.x, move.y)
    case 'fit':
      return { ...view, zoom: 'fit', x: 0, y: 0 }
    case 'turn':
      return { ...view, turns: (view.turns + 1) % 4, x: -view.y, y: view.x }
    case 'pan':
      return { ...view, x: view.x + move.x, y: view.y + move.y }
  }
}

/** The CSS that centres an image on its stage and applies its view. */
export const buildStyle = (view: View, { image, stage }: Sizes) => ({
  width: image.width,
  height: image.height,
  transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turns * 90}deg) scale(${calculateScale(view, image, stage)})`,
})
