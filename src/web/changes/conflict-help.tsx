import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import type { Conflict } from './use-change.ts'

interface ConflictHelpProps {
  conflict: Conflict
  /** How it stands now, once reloaded. */
  children: ReactNode
}

/** Reload goes once it has worked; its focus goes on to the field, or to Cancel where none is. */
const moveFocusOnReload = (note: HTMLElement | null) =>
  note?.closest('form')?.querySelector<HTMLElement>('textarea, [type=button]:not(:disabled)')?.focus()

/** The way on after a conflict: take what is decided on as it is now, keep what was typed. */
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
