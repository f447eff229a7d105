import { useCallback, useEffect, useMemo, useRef, useState, type PointerEvent, type SyntheticEvent } from 'react'
import type { Move, Size, Sizes } from './pan-zoom.ts'

const noSize: Size = { width: 0, height: 0 }
/** The zoom of a wheel step, in pixels or lines, and of a pinch on a trackpad. */
const [byPixel, byLine, byPinch] = [0.002, 0.06, 0.01]

function getZoomFactor({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const each = ctrlKey ? byPinch : deltaMode === WheelEvent.DOM_DELTA_PIXEL ? byPixel : byLine
  return Math.exp(-deltaY * each)
}

/** A point relative to the stage's middle. */
function toStagePoint(stage: Element, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width, height } = stage.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}
const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)

/** The moves by mouse and fingers. Put `props` on the stage. */
function usePointers(act: (move: Move) => void) {
  const [isDragging, setDragging] = useState(false)
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const releasePointer = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId)
    setDragging(pointers.current.size > 0)
  }
  return {
    isDragging,
    props: {
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, toStagePoint(event.currentTarget, event))
        setDragging(true)
      },
      onPointerMove: (event: PointerEvent) => {
        const before = pointers.current.get(event.pointerId)
        if (!before) return
        const now = toStagePoint(event.currentTarget, event)
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
        // The picture zooms around the resting finger.
        if (other) act({ type: 'zoom', by: distance(now, other) / Math.max(1, distance(before, other)), ...other })
        else act({ type: 'pan', x: now.x - before.x, y: now.y - before.y })
        pointers.current.set(event.pointerId, now)
      },
      onPointerUp: releasePointer,
      onPointerCancel: releasePointer,
    },
  }
}

/**
 * A stage with an image: its sizes, null until the image has loaded, and the moves by wheel, mouse and fingers. Put
 * `ref` and `props` on the stage and `onLoad` on the image; `act` moves it by other means.
 */
export function useStage(onMove: (move: Move, sizes: Sizes) => void) {
  const [stage, setStage] = useState(noSize)
  const [image, setImage] = useState(noSize)
  const sizes = useMemo(() => (image.width > 0 && stage.width > 0 ? { image, stage } : null), [image, stage])
  const act = (move: Move): boolean => {
    if (sizes) onMove(move, sizes)
    return sizes !== null
  }
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })

  // A ref instead of an effect, since a dialog's portal mounts the stage later than the component.
  const ref = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setStage({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    // A native listener, since React's is passive and could not keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY === 0) return
      if (latest.current({ type: 'zoom', by: getZoomFactor(event), ...toStagePoint(element, event) }))
        event.preventDefault()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [])

  const pointers = usePointers(act)
  return {
    ref,
    sizes,
    act,
    onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
      setImage({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight }),
    ...pointers,
  }
}
export type Stage = ReturnType<typeof useStage>
