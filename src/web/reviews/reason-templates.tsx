import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { templateRoutes } from '#contract/reason-templates.ts'
import type { ReasonTemplate } from '#contract/schemas/reason-templates.ts'
import { buildQuery } from '#web/api.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'

const TemplatePanel = lazy(() => import('./template-panel.tsx'))
const TemplateDialog = lazy(() => import('./template-dialog.tsx'))

/** The templates that the admin may use, with those that others share. */
export const templatesQuery = buildQuery(templateRoutes.list)

const languageKey = 'reason-template-language'

/** The language that this device narrows templates to; empty: all. */
export function readLanguage(): string {
  try {
    return localStorage.getItem(languageKey) ?? ''
  } catch {
    return ''
  }
}

export function storeLanguage(language: string): void {
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    // Without storage it counts as long as the templates are open.
  }
}

interface ReasonTemplatesProps {
  button: RefObject<HTMLButtonElement | null>
  reason: string
  disabled: boolean
  /** Adds a text to the reason, or takes it away. */
  onToggle: (text: string) => void
  className: string
}

/** Opens the templates of reasons, of which one can be added, changed or made from the reason. */
export function ReasonTemplates({ button, reason, disabled, onToggle, className }: ReasonTemplatesProps) {
  const [isOpen, setOpen] = usePopover()
  const [edited, setEdited] = useState<ReasonTemplate | 'new' | null>(null)
  useQuery(templatesQuery)
  usePrefetch(true, TemplatePanel, TemplateDialog)
  const close = () => setOpen(false)
  const closeDialog = () => setEdited(null)
  const findReason = () =>
    button.current?.closest('fieldset')?.parentElement?.closest('form, fieldset')?.querySelector('textarea') ?? null
  return (
    <>
      <button
        ref={button}
        type="button"
        title="Templates of reasons"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-disabled={disabled || undefined}
        aria-keyshortcuts="Alt+T"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => !disabled && setOpen(!isOpen)}
        className={className}
      >
        <KeyHint>Alt T</KeyHint>
        Templates
        <ChevronDown aria-hidden className="size-3.5 text-quiet" />
      </button>
      {isOpen && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          <TemplatePanel
            button={button}
            reason={reason}
            findReason={findReason}
            onToggle={(text) => {
              onToggle(text)
              close()
            }}
            onEdit={(template) => {
              setEdited(template)
              close()
            }}
            onClose={close}
            onClosed={() => moveFocus(findReason())}
          />
        </LazyBoundary>
      )}
      <LazyBoundary fallback={null} onFailure={closeDialog}>
        {edited !== null && <TemplateDialog edited={edited} reason={reason} onClose={closeDialog} />}
      </LazyBoundary>
    </>
  )
}
