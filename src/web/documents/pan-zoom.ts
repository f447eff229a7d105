export interface Size {
  width: number
  height: number
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

const turned = ({ width, height }: Size, turns: number): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The scale that `view` shows the image at. */
export function scaleOf({ zoom, turns }: View, image: Size, stage: Size): number {
  if (zoom !== 'fit') return zoom
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

export type Move = { type: 'in' | 'out' | 'fit' | 'whole' | 'turn' } | { type: 'pan'; x: number; y: number }

/** The view after a move. Zooming keeps what is in the middle in the middle. */
export function moved(view: View, move: Move, image: Size, stage: Size): View {
  const scale = scaleOf(view, image, stage)
  const zoomTo = (zoom: number) => ({ ...view, zoom, x: (view.x * zoom) / scale, y: (view.y * zoom) / scale })
  const next = {
    in: () => zoomTo(between(smallest, scale * step, largest)),
    out: () => zoomTo(between(smallest, scale / step, largest)),
    whole: () => zoomTo(1),
    fit: () => ({ ...view, zoom: 'fit' as const, x: 0, y: 0 }),
    turn: () => ({ ...view, turns: (view.turns + 1) % 4, x: -view.y, y: view.x }),
    pan: () => (move.type === 'pan' ? { ...view, x: view.x + move.x, y: view.y + move.y } : view),
  }[move.type]()
  return next
}
