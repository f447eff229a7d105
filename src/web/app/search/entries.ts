import type { ReactElement, ReactNode } from 'react'

/** One option of the popup: what it shows, and either where it leads or what it does. */
export interface Entry {
  /** Unique among all options and without blanks, since it is part of an element's id. */
  key: string
  icon: ReactNode
  title: ReactNode
  caption?: ReactNode
  /** At the right: an amount, a state. */
  aside?: ReactNode
  /** A link without children: `<Link {...paths.member(id)} />`. */
  link?: ReactElement<Record<string, unknown>>
  run?: () => void
  /** The typed text occurs only inside words, not at their start. */
  isWeak?: boolean
}

export interface Group {
  label: string
  entries: Entry[]
}
