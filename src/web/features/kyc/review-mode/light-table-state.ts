import type { Move, Sizes } from '#web/documents/pan-zoom.ts'
import { movedTogether, startShared, type SharedView } from '#web/documents/shared-view.ts'

/** Several documents side by side: how each is looked at, and which one keys and buttons mean. */
export interface LightTableState {
  /** Whether what is done to one is done to all. */
  isTogether: boolean
  active: number
  views: readonly SharedView[]
  /** Null while a document has not come, or is not on the screen. */
  sizes: readonly (Sizes | null)[]
}

export type LightTableStep =
  | { type: 'move'; move: Move; at?: number }
  | { type: 'measured'; at: number; sizes: Sizes | null }
  | { type: 'chosen'; at: number }
  | { type: 'together' }

export const startTable = (count: number): LightTableState => ({
  isTogether: true,
  active: 0,
  views: Array.from({ length: count }, () => startShared),
  sizes: Array.from({ length: count }, () => null),
})

/** The document that a move is worked out on: the active one, or where that can't be shown the first that can. */
export const leading = ({ active, sizes }: LightTableState): number =>
  sizes[active] ? active : sizes.findIndex((each) => each !== null)

export function steppedTable(state: LightTableState, step: LightTableStep): LightTableState {
  switch (step.type) {
    case 'move': {
      const at = step.at ?? leading(state)
      const [view, sizes] = [state.views[at], state.sizes[at]]
      if (!view || !sizes) return state
      const next = movedTogether(view, step.move, sizes)
      const views = state.views.map((each, index) => (state.isTogether || index === at ? next : each))
      return { ...state, active: at, views }
    }
    case 'measured':
      return { ...state, sizes: state.sizes.with(step.at, step.sizes) }
    case 'chosen':
      return { ...state, active: step.at }
    case 'together': {
      const lead = state.views[state.active] ?? startShared
      return state.isTogether
        ? { ...state, isTogether: false }
        : { ...state, isTogether: true, views: state.views.map(() => lead) }
    }
  }
}
