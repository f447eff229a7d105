import {
  applyMove,
  calculateScale,
  clampView,
  initialView,
  rotateSize,
  type Move,
  type Sizes,
  type View,
} from './pan-zoom.ts'

/** A view in relative measures, so that images of any size can share it. */
export interface SharedView {
  /** Factor of the fitting size, at least 1. */
  zoom: number
  /** Quarter turns, clockwise. */
  turns: number
  /** How far the image's middle is from the stage's, in widths and heights of the image as shown. */
  x: number
  y: number
}

export const initialSharedView: SharedView = { zoom: 1, turns: 0, x: 0, y: 0 }

/** Converts the shared view for one image and keeps the image visible. */
export function toView({ zoom, turns, x, y }: SharedView, { image, stage }: Sizes): View {
  const fit = calculateScale({ ...initialView, turns }, image, stage)
  const view: View = { zoom: zoom === 1 ? 'fit' : fit * zoom, turns, x: 0, y: 0 }
  const scale = calculateScale(view, image, stage)
  const { width, height } = rotateSize(image, turns)
  return clampView({ ...view, x: x * width * scale, y: y * height * scale }, image, stage)
}

/** The shared view after a move that was made on one of the images. */
export function applySharedMove(shared: SharedView, move: Move, sizes: Sizes): SharedView {
  const { image, stage } = sizes
  const next = applyMove(toView(shared, sizes), move, image, stage)
  const fit = calculateScale({ ...initialView, turns: next.turns }, image, stage)
  const scale = Math.max(fit, calculateScale(next, image, stage))
  const view = clampView({ ...next, zoom: scale }, image, stage)
  const { width, height } = rotateSize(image, next.turns)
  return { zoom: scale / fit, turns: next.turns, x: view.x / (width * scale), y: view.y / (height * scale) }
}
