import { Dialog as Radix } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { findFocusSuccessor, moveFocus } from '#web/lib/focus-successor.ts'
import { passEscapeToDialog, useEscapeHandler } from './escape.ts'
import { doubleClickMs } from './single-press.ts'

interface DialogProps {
  /** Names the object: "Ban Maria Silva?" */
  title: ReactNode
  /** Says the consequence. */
  description?: ReactNode
  onClose: () => void
  /** While true neither Escape nor a click outside closes. */
  locked?: boolean
  /** Hides the screen behind it. */
  covering?: boolean
  /** `alertdialog` where only a decision is asked for. */
  role?: 'dialog' | 'alertdialog'
  className?: string
  children: ReactNode
}

/** The body scrolls between head and footer. On a low screen the whole dialog scrolls. */
export const dialogColumn = 'flex min-h-0 flex-col'

/** Comes a moment after the dialog is gone. */
function giveFocusBack(opener: Element | null) {
  const isThere = opener?.isConnected && opener !== document.body
  const target = isThere ? opener : (findFocusSuccessor(opener) ?? document.querySelector('main'))
  if (target instanceof HTMLElement) moveFocus(target)
}

/**
 * A dialog that is open as long as it is rendered. The first control in it gets the focus; on closing, focus goes back
 * to where it was, or to what has taken its place. Load it with `lazy` and hold it in a `LazyBoundary` (`lazy-boundary.tsx`).
 */
export function Dialog({
  title,
  description,
  onClose,
  locked = false,
  covering = false,
  role = 'dialog',
  className,
  children,
}: DialogProps) {
  // Radix gives the focus back to a trigger, and these dialogs have none.
  const [opener] = useState(() => document.activeElement)
  const close = () => {
    if (!locked) onClose()
  }
  useEscapeHandler(close)
  const [openedAt] = useState(() => performance.now())
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay
          // Pressed, it would take the focus out of the dialog.
          onMouseDown={(event) => event.target === event.currentTarget && event.preventDefault()}
          className={cn(
            'fixed inset-0 z-20 grid animate-fade grid-cols-[minmax(0,1fr)] items-start justify-items-center overflow-y-auto px-4 pt-4 pb-4 very-low:scroll-pb-18 [@media(min-height:30rem)]:pt-[12dvh] sheet:items-end sheet:p-0!',
            covering ? 'bg-canvas' : 'bg-scrim',
          )}
        >
          <Radix.Content
            role={role}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              giveFocusBack(opener)
            }}
            // The second click of a double click on what opened the dialog lands beside it.
            onPointerDownOutside={(event) => performance.now() - openedAt < doubleClickMs && event.preventDefault()}
            onEscapeKeyDown={(event) => void passEscapeToDialog(event)}
            {...(description === undefined && { 'aria-describedby': undefined })}
            className={cn(
              dialogColumn,
              'w-full max-w-110 [@media(min-height:30rem)]:max-h-[calc(88dvh-1rem)] animate-rise rounded-l bg-raised text-ink shadow-dialog outline-none',
              className,
              'sheet:max-h-[92dvh] sheet:max-w-none! sheet:rounded-t-[14px] sheet:rounded-b-none',
            )}
          >
            <div className="shrink-0 px-5 pt-5 wrap-anywhere">
              <Radix.Title className="text-16">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-14 text-quiet">{description}</Radix.Description>
              )}
            </div>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const DialogBody = ({ children }: { children: ReactNode }) => (
  <div className="min-h-0 overflow-y-auto px-5 pt-4 pb-5 wrap-anywhere">{children}</div>
)

export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <div className="flex shrink-0 flex-wrap justify-end gap-2 rounded-b-l border-t bg-raised px-5 py-3 very-low:sticky very-low:-bottom-4 sheet:rounded-b-none sheet:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
    {children}
  </div>
)
