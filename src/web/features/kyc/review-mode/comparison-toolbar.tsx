import { Link2, Link2Off, Maximize, RotateCw, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react'
import type { Dispatch } from 'react'
import type { Move } from '#web/documents/pan-zoom.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { findLeadIndex, type ComparisonAction, type ComparisonState } from './comparison-state.ts'

interface ComparisonToolbarProps {
  state: ComparisonState
  dispatch: Dispatch<ComparisonAction>
}

/** Zooms and rotates the documents. Its buttons name their keys. */
export function ComparisonToolbar({ state, dispatch }: ComparisonToolbarProps) {
  const { isSynced, views } = state
  const lead = findLeadIndex(state)
  const canMove = lead >= 0
  const SyncIcon = isSynced ? Link2 : Link2Off
  const bindMove = (move: Move) => ({ disabled: !canMove, onClick: () => dispatch({ type: 'move', move }) })
  return (
    <div
      role="toolbar"
      aria-label="View of the documents"
      className="flex min-w-0 flex-wrap items-center gap-0.5 px-3 py-1.5"
    >
      <IconButton label="Zoom out" aria-keyshortcuts="-" {...bindMove({ type: 'out' })}>
        <ZoomOut aria-hidden />
      </IconButton>
      <output
        aria-label="Zoom"
        className="max-w-12 flex-1 text-center text-12 whitespace-nowrap text-quiet tabular-nums"
      >
        {canMove && `${Math.round((views[lead]?.zoom ?? 1) * 100)} %`}
      </output>
      <IconButton label="Zoom in" aria-keyshortcuts="+" {...bindMove({ type: 'in' })}>
        <ZoomIn aria-hidden />
      </IconButton>
      <ViewButton label="Fit" hotkey="0" icon={Maximize} {...bindMove({ type: 'fit' })} />
      <ViewButton label="Rotate" hotkey="T" icon={RotateCw} {...bindMove({ type: 'turn' })} />
      {views.length > 1 && (
        <Button
          variant="ghost"
          aria-keyshortcuts="L"
          aria-pressed={isSynced}
          title="Zoom, rotate and move all documents together"
          onClick={() => dispatch({ type: 'together' })}
          className="aria-pressed:text-accent-ink max-md:w-(--control) max-md:px-0"
        >
          <SyncIcon aria-hidden />
          <span className="max-md:sr-only">Sync Views</span>
          <KeyHint>L</KeyHint>
        </Button>
      )}
      <KeyLegend />
    </div>
  )
}

interface ViewButtonProps {
  label: string
  hotkey: string
  icon: LucideIcon
  disabled: boolean
  onClick: () => void
}
const ViewButton = ({ label, hotkey, icon: Icon, ...rest }: ViewButtonProps) => (
  <Button variant="ghost" aria-keyshortcuts={hotkey} {...rest} className="max-phone:px-1.5">
    <Icon aria-hidden />
    {label}
    <KeyHint>{hotkey}</KeyHint>
  </Button>
)

/** The keys that have no button beside them. */
const KeyLegend = () => (
  <span
    aria-hidden
    className="ml-auto flex items-center gap-1 pl-3 text-12 whitespace-nowrap text-quiet max-unfolded:hidden"
  >
    {['+', '−'].map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
    zoom
    <span className="w-1.5" />
    {['←', '→', '↑', '↓'].map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
    move
  </span>
)
