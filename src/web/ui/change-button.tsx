import { offlineReason, useIsOffline } from '#web/lib/offline.ts'
import { Button, type ButtonProps } from './button.tsx'

/**
 * A button that sends a change, or opens the dialog that does. It is disabled while offline and says why. The search offers those in
 * sight by `data-change`.
 */
export function ChangeButton({ disabled = false, ...rest }: ButtonProps) {
  const isOffline = useIsOffline()
  return <Button data-change {...rest} disabled={disabled || isOffline} {...(isOffline && { title: offlineReason })} />
}
