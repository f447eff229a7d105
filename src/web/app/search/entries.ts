import type { ReactElement, ReactNode } from 'react'

/** One option of the popup: what it shows, and either where it leads or what it does. */
export interface Entry {
  /** Its own among all options, without blanks: part of an element's id. */
  key: string
  icon: ReactNode
  title: ReactNode
  caption?: ReactNode
  /** At the right: an amount, a state. */
  aside?: ReactNode
  /** A link without children: `<Link {...paths.user(id)} />`. */
  link?: ReactElement<Record<string, unknown>>
  run?: () => void
  /** What was typed stands in the middle of its words only. */
  isWeak?: boolean
}

export interface Group {
  label: string
  entries: Entry[]
}
