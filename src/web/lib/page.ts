import { useLayoutEffect } from 'react'
import { createStore } from './store.ts'

export interface PageTitle {
  title: string
  /** The page above this one, shown before the title. */
  parent?: { label: string; to: string }
}

/** The title that the present page sets. Null shows the route's title. */
export const pageTitle = createStore<PageTitle | null>(null)

/** Names the present page in the header (the only h1) and in the window's title. */
export function usePageTitle({ title, parent }: PageTitle): void {
  const label = parent?.label
  const to = parent?.to
  useLayoutEffect(() => {
    pageTitle.set(label !== undefined && to !== undefined ? { title, parent: { label, to } } : { title })
    return () => pageTitle.set(null)
  }, [title, label, to])
}
