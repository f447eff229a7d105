import { useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { confirmLeave, hasUnsaved } from '#web/lib/unsaved.ts'
import { type PeekTarget, writePeek } from './peek-target.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before is the same page without Peek, so that closing goes back to it. */
    isPeekOpened?: boolean
  }
}

export interface Peek {
  /** The value of `?peek=`, which may be anything. */
  shown: unknown
  /** Shows a record, in place of the shown one if there is one. */
  open: (target: PeekTarget) => void
  close: () => void
}

/** Peek stands in the address bar. It opens with a history entry of its own, so that Back closes it. */
export function usePeek(): Peek {
  const router = useRouter()
  const { peek: shown }: { peek?: unknown } = useSearch({ strict: false })
  return useMemo(() => {
    const show = async (peek: string | undefined, isOpened: boolean) => {
      // The router asks before other ways to leave what was typed, but not before a replaced address.
      if (hasUnsaved() && !(await confirmLeave({ closeForms: true }))) return
      await router.navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, peek }),
        replace: !isOpened,
        state: isOpened ? { isPeekOpened: true } : true,
        resetScroll: false,
      })
    }
    return {
      shown,
      open: (target) => void show(writePeek(target), shown === undefined),
      close: () => (router.state.location.state.isPeekOpened ? router.history.back() : void show(undefined, false)),
    }
  }, [router, shown])
}
