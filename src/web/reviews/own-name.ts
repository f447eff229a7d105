import { useQueryClient } from '@tanstack/react-query'
import { authRoutes } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import { buildQuery } from '#web/api.ts'

/** The signed-in admin's name from the cached session. Sends no call. */
export const useOwnName = () =>
  useQueryClient().getQueryData<Admin | null>(buildQuery(authRoutes.currentUser).queryKey)?.username
