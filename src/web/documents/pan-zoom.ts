export interface Size {
  width: number
  height: number
}

/** What a view is worked out from. */
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

export const startView: View = { zoom: 'fit', turns: 0, x: 0, y: 0 }

const step = 1.25
const [smallest, largest] = [0.05, 8]
/** Room left around an image that fits, in pixels on both sides together. */
const margin = 24
const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value))

/** The room that an image takes once it is turned. */
export const turned = ({ width, height }: Size, turns: number): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The scale that `view` shows the image at. */
export function scaleOf({ zoom, turns }: View, image: Size, stage: Size): number {
  if (zoom !== 'fit') return between(smallest, zoom, largest)
  const { width, height } = turned(image, turns)
  return between(smallest, Math.min((stage.width - margin) / width, (stage.height - margin) / height), largest)
}

/** Keeps the image in sight: it moves only as far as it is larger than the stage. */
export function settle(view: View, image: Size, stage: Size): View {
  const scale = scaleOf(view, image, stage)
  const { width, height } = turned(image, view.turns)
  const [roomX, roomY] = [Math.max(0, width * scale - stage.width) / 2, Math.max(0, height * scale - stage.height) / 2]
  return { ...view, x: between(-roomX, view.x, roomX), y: between(-roomY, view.y, roomY) }
}

export type Move =
  | { type: 'in' | 'out' | 'fit' | 'whole' | 'turn' }
  | { type: 'pan'; x: number; y: number }
  /** `by` times as large; what is at `x`, `y` (from the stage's middle) stays where it is. */
  | { type: 'zoom'; by: number; x: number; y: number }

/** The view after a move. Zooming by a step keeps what is in the middle in the middle. */
export function moved(view: View, move: Move, image: Size, stage: Size): View {
  const scale = scaleOf(view, image, stage)
  const zoomTo = (wanted: number, x = 0, y = 0): View => {
    const zoom = between(smallest, wanted, largest)
    return { ...view, zoom, x: x + ((view.x - x) * zoom) / scale, y: y + ((view.y - y) * zoom) / scale }
  }
  switch (move.type) {
    case 'in':
      return zoomTo(scale * step)
    case 'out':
      return zoomTo(scale / step)
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

/** How an image is put in the middle of its stage and brought to its view. */
export const styleOf = (view: View, { image, stage }: Sizes) => ({
  width: image.width,
  height: image.height,
  transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turns * 90}deg) scale(${scaleOf(view, image, stage)})`,
})
