import { useSyncExternalStore } from 'react'

/** As the breakpoint `roomy`: list and line stand side by side. */
const query = '(min-width: 56.25rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
