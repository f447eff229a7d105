import { useCallback, useEffectEvent, useLayoutEffect, useState } from 'react'
import { readKey } from '#web/lib/keys.ts'
import { applyMove, calculateScale, clampView, initialView, type Move, type Sizes } from './pan-zoom.ts'
import { useStage } from './use-stage.ts'

/** How far an arrow key moves the image, in pixels. */
const panStep = 60
export const viewKeys = {
  '+': { type: 'in' },
  '=': { type: 'in' },
  '-': { type: 'out' },
  '0': { type: 'fit' },
  ArrowLeft: { type: 'pan', x: panStep, y: 0 },
  ArrowRight: { type: 'pan', x: -panStep, y: 0 },
  ArrowUp: { type: 'pan', x: 0, y: panStep },
  ArrowDown: { type: 'pan', x: 0, y: -panStep },
} as const satisfies Record<string, Move>
const keys: Record<string, Move> = { ...viewKeys, '1': { type: 'whole' }, r: { type: 'turn' } }

/**
 * Zoom, rotation and place of an image on a stage, by buttons, keys, wheel, drag and two fingers. Another `path` is
 * seen from the beginning. While the image fits, Left and Right call `onStep`.
 */
export function usePanZoom(path: string, onStep: (by: 1 | -1) => void) {
  const [storedView, setView] = useState(initialView)
  const [seen, setSeen] = useState(path)
  if (seen !== path) {
    setSeen(path)
    setView(initialView)
  }
  const apply = useCallback(
    (next: Move, { image, stage }: Sizes) =>
      setView((now) => applyMove(clampView(now, image, stage), next, image, stage)),
    [],
  )
  const stage = useStage(apply)
  const { sizes } = stage
  const move = useCallback(
    (next: Move) => {
      if (sizes) apply(next, sizes)
    },
    [sizes, apply],
  )
  const isFit = storedView.zoom === 'fit'
  const step = useEffectEvent(onStep)
  // In the same moment as the image shows, so that no key is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const known = keys[readKey(event)]
      if (!known || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      if (isFit && event.key === 'ArrowLeft') step(-1)
      else if (isFit && event.key === 'ArrowRight') step(1)
      else move(known)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [move, isFit])

  const view = sizes ? clampView(storedView, sizes.image, sizes.stage) : storedView
  return { stage, move, view, percent: Math.round((sizes ? calculateScale(view, sizes.image, sizes.stage) : 1) * 100) }
}
