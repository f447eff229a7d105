import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import type { Conflict } from './use-change.ts'

interface ConflictHelpProps {
  conflict: Conflict
  /** The present state, once reloaded. */
  children: ReactNode
}

/** The Reload button disappears after a reload. Its focus moves to the field, or to Cancel. */
const moveFocusOnReload = (note: HTMLElement | null) =>
  note?.closest('form')?.querySelector<HTMLElement>('textarea, [type=button]:not(:disabled)')?.focus()

/** Helps after a conflict: reloads the entity and keeps what was typed. */
export function ConflictHelp({ conflict, children }: ConflictHelpProps) {
  return (
    <>
      {conflict.isOffered && (
        <Button size="small" loading={conflict.isReloading} onClick={conflict.reload} className="mt-3">
          <RefreshCw aria-hidden />
          Reload
        </Button>
      )}
      {conflict.wasReloaded && (
        <div ref={moveFocusOnReload}>
          <Note role="alert" className="mt-3">
            {children}
          </Note>
        </div>
      )}
    </>
  )
}
