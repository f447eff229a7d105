import { useCallback, useEffect, useState, type PointerEvent } from 'react'
import { moved, scaleOf, settle, startView, type Move, type Size } from './pan-zoom.ts'

const nudge = 60
const keys: Record<string, Move> = {
  '+': { type: 'in' },
  '=': { type: 'in' },
  '-': { type: 'out' },
  '0': { type: 'fit' },
  '1': { type: 'whole' },
  r: { type: 'turn' },
  ArrowLeft: { type: 'pan', x: nudge, y: 0 },
  ArrowRight: { type: 'pan', x: -nudge, y: 0 },
  ArrowUp: { type: 'pan', x: 0, y: nudge },
  ArrowDown: { type: 'pan', x: 0, y: -nudge },
}
const nothing: Size = { width: 0, height: 0 }

/** Zoom, rotation and place of an image on a stage, by buttons, keys, wheel and drag. */
export function usePanZoom() {
  const [stageSize, setStageSize] = useState(nothing)
  const [image, setImage] = useState(nothing)
  const [kept, setView] = useState(startView)
  const [isDragging, setDragging] = useState(false)
  const isReady = image.width > 0 && stageSize.width > 0
  const view = isReady ? settle(kept, image, stageSize) : kept

  const move = useCallback(
    (next: Move) => {
      if (isReady) setView((now) => moved(settle(now, image, stageSize), next, image, stageSize))
    },
    [isReady, image, stageSize],
  )
  // A ref, not an effect: the dialog's portal puts the stage in the page later than this component.
  const stage = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setStageSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
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

  const scale = isReady ? scaleOf(view, image, stageSize) : 1
  return {
    stage,
    move,
    isReady,
    isDragging,
    percent: Math.round(scale * 100),
    imageProps: {
      onLoad: ({ currentTarget }: { currentTarget: HTMLImageElement }) =>
        setImage({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight }),
      style: {
        width: image.width,
        height: image.height,
        transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turns * 90}deg) scale(${scale})`,
      },
    },
    stageProps: {
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
      },
      onPointerMove: (event: PointerEvent) => {
        if (isDragging) move({ type: 'pan', x: event.movementX, y: event.movementY })
      },
      onPointerUp: () => setDragging(false),
      onPointerCancel: () => setDragging(false),
      onWheel: (event: { deltaY: number; ctrlKey: boolean }) => {
        if (!event.ctrlKey && event.deltaY !== 0) move({ type: event.deltaY < 0 ? 'in' : 'out' })
      },
    },
  }
}
