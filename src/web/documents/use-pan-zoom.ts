import { useCallback, useLayoutEffect, useState } from 'react'
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

/** Zoom, rotation and place of an image on a stage, by buttons, keys, wheel, drag and two fingers. */
export function usePanZoom() {
  const [storedView, setView] = useState(initialView)
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
  // In the same moment as the image shows, so that no key is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const known = keys[readKey(event)]
      if (!known || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      move(known)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [move])

  const view = sizes ? clampView(storedView, sizes.image, sizes.stage) : storedView
  return { stage, move, view, percent: Math.round((sizes ? calculateScale(view, sizes.image, sizes.stage) : 1) * 100) }
}
