import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useEffect, useState, type MouseEvent } from 'react'
import { useStore } from '#web/lib/store.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from './button.tsx'
import { passEscapeToDialog } from './escape.ts'
import { IconButton } from './icon-button.tsx'
import { doubleClickMs, ignoreSecondClick } from './single-press.ts'
import { shownToast, toastMs, type ToastButton } from './toast.ts'

/** A toast above a dialog leaves Escape to it, unless the focus is in the toast. */
function leaveToDialog(event: KeyboardEvent) {
  if (!(event.target instanceof Element && event.target.closest('[role=region]'))) passEscapeToDialog(event)
}

/** Product 9.7: closes after 5000 ms, swiped right by 50 px dismisses, F8 focuses the region. */
export default function Toaster() {
  const shown = useStore(shownToast)
  const isFailure = shown?.tone === 'destructive'
  const Icon = isFailure ? CircleAlert : shown?.tone === 'success' ? CircleCheck : Info
  return (
    <Toast.Provider duration={toastMs} swipeDirection="right" swipeThreshold={50}>
      {shown && (
        <Toast.Root
          key={shown.id}
          type={isFailure ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && shownToast.set(null)}
          onEscapeKeyDown={leaveToDialog}
          className="pointer-events-auto flex animate-rise items-start gap-2.5 rounded-l bg-raised py-2 pr-2.5 pl-3.5 text-13 shadow-dialog data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          <Icon
            aria-hidden
            className={cn('mt-px size-4 shrink-0', isFailure ? 'text-danger-ink' : 'text-success-ink')}
          />
          <div className="min-w-0 flex-1 break-words">
            <Toast.Title className="font-semibold">{shown.title}</Toast.Title>
            {shown.description && <Toast.Description className="text-quiet">{shown.description}</Toast.Description>}
          </div>
          {shown.action && <ToastAction {...shown.action} />}
          <Toast.Close asChild>
            <IconButton tiny label="Dismiss" className="-my-0.5">
              <X aria-hidden />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport className="toasts pointer-events-none z-30 outline-none" />
    </Toast.Provider>
  )
}

/** Takes one press, once it has stood for a moment, since it may come up under a double click. */
function ToastAction({ label, run }: ToastButton) {
  const [state, setState] = useState<'new' | 'ready' | 'pressed'>('new')
  useEffect(() => {
    const timer = setTimeout(() => setState('ready'), doubleClickMs)
    return () => clearTimeout(timer)
  }, [])
  const press = (event: MouseEvent) => {
    event.preventDefault()
    if (state !== 'ready') return
    ignoreSecondClick(event)
    setState('pressed')
    run()
  }
  return (
    <Toast.Action asChild altText={label} onClick={press}>
      <Button size="small" className="-my-0.5" {...(state !== 'ready' && { 'aria-disabled': true })}>
        {label}
      </Button>
    </Toast.Action>
  )
}
