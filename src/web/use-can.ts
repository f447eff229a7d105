import { useQueryClient } from '@tanstack/react-query'
import { authRoutes } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import { can, type Permission } from '#contract/permissions.ts'
import { buildQuery } from '#web/api.ts'

/** Whether the signed-in admin has a permission. Reads the cached session and sends no call. */
export function useCan(permission: Permission): boolean {
  const admin = useQueryClient().getQueryData<Admin | null>(buildQuery(authRoutes.currentUser).queryKey)
  return admin ? can(admin, permission) : false
}
