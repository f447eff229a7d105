import { useState } from 'react'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

/** The list of keys, which is shown on request. */
export function useKeysDialog() {
  const [isShown, setShown] = useState(false)
  const close = () => setShown(false)
  usePrefetch(true, KeysDialog)
  return {
    showKeys: () => setShown(true),
    keysDialog: (
      <LazyBoundary fallback={null} onFailure={close}>
        {isShown && <KeysDialog onClose={close} />}
      </LazyBoundary>
    ),
  }
}
