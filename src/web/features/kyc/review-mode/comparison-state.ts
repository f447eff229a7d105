import type { Move, Sizes } from '#web/documents/pan-zoom.ts'
import { applySharedMove, initialSharedView, type SharedView } from '#web/documents/shared-view.ts'

/** Several documents side by side: the view of each, and which one keys and buttons act on. */
export interface ComparisonState {
  /** Whether a move applies to all documents. */
  isSynced: boolean
  active: number
  /** Whether the active one has the stage, with the others in a strip below it. */
  isLarge: boolean
  views: readonly SharedView[]
  /** Null while a document loads or is not on the screen. */
  sizes: readonly (Sizes | null)[]
}

export type ComparisonAction =
  | { type: 'move'; move: Move; at?: number }
  | { type: 'measured'; at: number; sizes: Sizes | null }
  | { type: 'chosen'; at: number }
  | { type: 'together' }

export const createComparison = (count: number): ComparisonState => ({
  isSynced: true,
  active: 0,
  isLarge: false,
  views: Array.from({ length: count }, () => initialSharedView),
  sizes: Array.from({ length: count }, () => null),
})

/** The document whose sizes a move uses: the active one, or the first that is shown. */
export const findLeadIndex = ({ active, sizes }: ComparisonState): number =>
  sizes[active] ? active : sizes.findIndex((each) => each !== null)

/** Two pictures that are wider than high are larger one above the other. */
export const areTwoWide = ({ sizes }: ComparisonState): boolean =>
  sizes.length === 2 && sizes.every((each) => each !== null && each.image.width > each.image.height)

export function reduceComparison(state: ComparisonState, action: ComparisonAction): ComparisonState {
  switch (action.type) {
    case 'move': {
      const at = action.at ?? findLeadIndex(state)
      const [view, sizes] = [state.views[at], state.sizes[at]]
      if (!view || !sizes) return state
      const next = applySharedMove(view, action.move, sizes)
      const views = state.views.map((each, index) => (state.isSynced || index === at ? next : each))
      return { ...state, active: state.isLarge ? state.active : at, views }
    }
    case 'measured':
      return { ...state, sizes: state.sizes.with(action.at, action.sizes) }
    case 'chosen':
      return { ...state, active: action.at, isLarge: state.isLarge !== (state.active === action.at) }
    case 'together': {
      const lead = state.views[state.active] ?? initialSharedView
      return state.isSynced
        ? { ...state, isSynced: false }
        : { ...state, isSynced: true, views: state.views.map(() => lead) }
    }
  }
}
