import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere on the page, and says whether some are dragged over it. */
export function useFileDrop(onFiles: (files: File[]) => void, isEnabled: boolean): boolean {
  const [isDragging, setDragging] = useState(false)
  const take = useEffectEvent((files: File[]) => onFiles(files))
  useEffect(() => {
    if (!isEnabled) return
    const stop = new AbortController()
    const { signal } = stop
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDragging(true)
    }
    const leave = (event: DragEvent) => {
      // Null when the pointer leaves the window.
      if (event.relatedTarget === null) setDragging(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDragging(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) take(files)
    }
    window.addEventListener('dragenter', over, { signal })
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => {
      stop.abort()
      setDragging(false)
    }
  }, [isEnabled])
  return isDragging
}
