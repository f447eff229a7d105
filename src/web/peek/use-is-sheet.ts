import { useSyncExternalStore } from 'react'

const query = '(width < 48rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the window is so narrow that Peek is a sheet over the whole page. */
export const useIsSheet = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
