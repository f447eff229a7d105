import { useCallback, useEffect, useState } from 'react'
import { moved, scaleOf, settle, startView, type Move, type Sizes } from './pan-zoom.ts'
import { useStage } from './use-stage.ts'

/** How far an arrow key moves the image, in pixels. */
const nudge = 60
export const viewKeys = {
  '+': { type: 'in' },
  '=': { type: 'in' },
  '-': { type: 'out' },
  '0': { type: 'fit' },
  ArrowLeft: { type: 'pan', x: nudge, y: 0 },
  ArrowRight: { type: 'pan', x: -nudge, y: 0 },
  ArrowUp: { type: 'pan', x: 0, y: nudge },
  ArrowDown: { type: 'pan', x: 0, y: -nudge },
} as const satisfies Record<string, Move>
const keys: Record<string, Move> = { ...viewKeys, '1': { type: 'whole' }, r: { type: 'turn' } }

/** Zoom, rotation and place of an image on a stage, by buttons, keys, wheel, drag and two fingers. */
export function usePanZoom() {
  const [kept, setView] = useState(startView)
  const apply = useCallback(
    (next: Move, { image, stage }: Sizes) => setView((now) => moved(settle(now, image, stage), next, image, stage)),
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
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const known = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!known || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      move(known)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [move])

  const view = sizes ? settle(kept, sizes.image, sizes.stage) : kept
  return { stage, move, view, percent: Math.round((sizes ? scaleOf(view, sizes.image, sizes.stage) : 1) * 100) }
}
