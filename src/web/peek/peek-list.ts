import { createStore } from '#web/lib/store.ts'
import type { PeekTarget } from './peek-target.ts'

/** The list that Peek walks. */
export interface PeekList {
  /** The place of the shown record among all rows, from 1. Null: it is not among the rows of this page. */
  place: number | null
  total: number
  /** False where more rows match than were counted: `total` is then only a lower bound. */
  isExact: boolean
  canMove: (step: 1 | -1) => boolean
  move: (step: 1 | -1) => void
  /** What J and K would show. */
  neighbours: PeekTarget[]
}

/** Null on a screen without a list. */
export const peekList = createStore<PeekList | null>(null)
