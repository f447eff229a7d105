import { useQueryClient } from '@tanstack/react-query'
import { accountRoutes } from '#contract/account.ts'
import { listPermissions, type Permission } from '#contract/permissions.ts'
import type { Route } from '#contract/route.ts'
import { buildQuery } from '#web/api.ts'

export const accountQuery = buildQuery(accountRoutes.read)

/**
 * The permissions of the signed-in admin, none before they are known. Reads the cached account and sends no call: the
 * console is shown once the account is there, and a change of the role ends the session.
 */
export function usePermissions(): ReadonlySet<Permission> {
  const account = useQueryClient().getQueryData(accountQuery.queryKey)
  return new Set(account?.permissions)
}

/** Whether the signed-in admin has a permission. */
export const useCan = (permission: Permission): boolean => useCanAny([permission])

/** Whether the signed-in admin has one of the permissions. */
export function useCanAny(permissions: readonly Permission[]): boolean {
  const granted = usePermissions()
  return permissions.some((permission) => granted.has(permission))
}

/** Whether the signed-in admin may make a call that needs permissions. */
export function useCanCall({ access }: Route): boolean {
  const granted = usePermissions()
  return listPermissions(access).every((permission) => granted.has(permission))
}
