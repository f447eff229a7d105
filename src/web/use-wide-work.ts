import { useLayoutEffect } from 'react'

/** Folds the sidebar, so that the work beside it gets its width. */
export function useWideWork() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.wideWork = ''
    return () => void delete dataset.wideWork
  }, [])
}
