import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { cloneElement, type ReactElement, type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { cn } from '#web/lib/cn.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { formatCount } from '#web/lib/money.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { passEscapeToDialog, useEscapeHandler } from '#web/ui/escape.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { peekList } from './peek-list.ts'
import { usePeek } from './use-peek.ts'

const query = '(width < 48rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the window is so narrow that Peek is a sheet over the whole page. */
const useIsSheet = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)

interface PeekFrameProps {
  /** Whom or what it shows. */
  name: string
  entity: string
  /** The record's own page: `<Link {...paths.member(id)} />`. Undefined: it has none. */
  link: ReactElement<{ children?: ReactNode }> | undefined
  /** What is shown is still the record before. */
  isOld?: boolean
  /** What presses, and the next actions. */
  actions?: ReactNode
  children: ReactNode
}

/** The panel around a record: a landmark beside the list, in narrow windows a sheet that holds the focus. */
export function PeekFrame({ name, entity, link, isOld = false, actions, children }: PeekFrameProps) {
  const { close } = usePeek()
  const isSheet = useIsSheet()
  const panel = useRef<HTMLElement>(null)
  useShortcuts({ Escape: close })
  // Before the panel is gone, since its focus is gone with it.
  useLayoutEffect(() => {
    const element = panel.current
    // The focus goes back to the row that it came from.
    return () => {
      const focused = document.activeElement
      // A button that its own press has disabled gave it away.
      if (focused === document.body || element?.contains(focused))
        setTimeout(() => moveFocus(document.querySelector<HTMLElement>('tr[aria-current] [data-row-link]')))
    }
  }, [])
  const label = `Peek: ${name}`
  const content = (
    <>
      <Bar entity={entity} link={link} onClose={close} />
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={0}
        aria-label="At a glance"
        inert={isOld}
        aria-busy={isOld || undefined}
        className={cn('overflow-y-auto p-5 -outline-offset-2! transition-opacity', isOld && 'opacity-55 delay-100')}
      >
        {children}
      </section>
      {actions && (
        <div inert={isOld} className={cn('border-t px-5 py-3', isOld && 'opacity-55')}>
          {actions}
        </div>
      )}
    </>
  )
  if (isSheet)
    return (
      <Sheet label={label} onClose={close}>
        {content}
      </Sheet>
    )
  return (
    <aside ref={panel} data-peek aria-label={label} className="peek-panel">
      {content}
    </aside>
  )
}

interface SheetProps {
  label: string
  onClose: () => void
  children: ReactNode
}

function Sheet({ label, onClose, children }: SheetProps) {
  useEscapeHandler(onClose)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 animate-fade bg-scrim">
          <Radix.Content
            data-peek
            aria-describedby={undefined}
            onEscapeKeyDown={(event) => void passEscapeToDialog(event)}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              moveFocus(document.querySelector<HTMLElement>('tr[aria-current] [data-row-link]'))
            }}
            className="fixed inset-x-0 bottom-0 grid h-[88dvh] animate-rise grid-rows-[auto_auto_minmax(0,1fr)_auto] rounded-t-[14px] bg-surface text-ink shadow-dialog outline-none"
          >
            <Radix.Title className="sr-only">{label}</Radix.Title>
            <span aria-hidden className="mx-auto mt-1.5 h-1 w-9 rounded-full bg-border-control" />
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Bar({ entity, link, onClose }: Pick<PeekFrameProps, 'entity' | 'link'> & { onClose: () => void }) {
  const list = useStore(peekList)
  return (
    <div className="flex min-h-14 items-center gap-1 border-b px-5 py-2">
      {list && (
        <>
          <p className="mr-1 text-13 text-quiet tabular-nums">
            {list.place === null
              ? 'not in this list'
              : `${formatCount(list.place)} of ${list.isExact ? '' : 'more than '}${formatCount(list.total)}`}
          </p>
          <IconButton label="Previous, K" disabled={!list.canMove(-1)} onClick={() => list.move(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next, J" disabled={!list.canMove(1)} onClick={() => list.move(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
      <span className="ml-auto flex items-center gap-1">
        <CopyButton text={window.location.href} label={`Copy link to this ${entity}`} />
        {link && (
          <Button asChild size="small" variant="ghost">
            {cloneElement(link, {
              children: (
                <>
                  <Maximize2 aria-hidden />
                  Open Page
                  <KeyHint>↵</KeyHint>
                </>
              ),
            })}
          </Button>
        )}
        <IconButton label="Close, Escape" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
