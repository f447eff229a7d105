import { findScreenPermissions } from '#web/screen-permissions.ts'
import { usePermissions } from '#web/use-can.ts'
import { screens } from './screens.ts'

/** The screens that the signed-in admin may view, in the sidebar's order. */
export function useScreens() {
  const granted = usePermissions()
  return screens.filter(({ link }) => {
    const required = findScreenPermissions(link.to)
    return required === null || required.some((permission) => granted.has(permission))
  })
}
