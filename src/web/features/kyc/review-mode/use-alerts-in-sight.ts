import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls to an alert that has just appeared within `panel`, so that it can be read in a low window too. */
export function useAlertsInSight(panel: RefObject<HTMLElement | null>): void {
  const shown = useRef('')
  useEffect(() => {
    const alert = panel.current?.querySelector('[role=alert]')
    const text = alert?.textContent ?? ''
    if (text !== shown.current) alert?.scrollIntoView({ block: 'nearest' })
    shown.current = text
  })
}
