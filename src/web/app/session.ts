import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { authRoutes, type Admin } from '#contract/auth.ts'
import { ApiError, call, queryOf } from '#web/api.ts'
import { forgetDocumentTokens } from '#web/lib/document-tokens.ts'
import { toast } from '#web/ui/toast.ts'

const queryKey: readonly string[] = queryOf(authRoutes.currentUser).queryKey

/** Who is signed in; null is nobody, and no error (SPEC section 6). */
async function currentAdmin(how: { signal?: AbortSignal; isPassive?: boolean }): Promise<Admin | null> {
  try {
    return (await call(authRoutes.currentUser, how)).admin
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal }) => {
    const admin = await currentAdmin({ signal })
    // The session may have ended while no page of ours was open.
    if (!admin) forgetDocumentTokens()
    return admin
  },
})

/** Back to the login form, with nothing of the former session left in memory or storage. */
function leave(client: QueryClient): void {
  forgetDocumentTokens()
  // First nobody, then the address: to an admin the router answers /login with the dashboard.
  client.setQueryData(sessionQuery.queryKey, null)
  window.history.pushState(null, '', '/login')
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
  client.getMutationCache().clear()
}

export async function signOut(client: QueryClient): Promise<void> {
  await call(authRoutes.logout)
  leave(client)
}

const redirectAfter = 500
let isLeaving = false

/** SPEC section 8, Unauthorized: says so once, however many calls fail at a time, then goes to /login. */
export function endSession(client: QueryClient): void {
  if (isLeaving || !client.getQueryData(sessionQuery.queryKey)) return
  isLeaving = true
  toast({ tone: 'destructive', title: 'Unauthorized', description: 'You are logged out. Redirecting to login...' })
  setTimeout(() => {
    isLeaving = false
    leave(client)
  }, redirectAfter)
}

/** Asks whether the session still stands, and ends it here if not; false when it is over. */
export async function checkSession(client: QueryClient): Promise<boolean> {
  try {
    if (await currentAdmin({ isPassive: true })) return true
    endSession(client)
    return false
  } catch {
    // Nobody answered: that is the connection's matter, not the session's.
    return true
  }
}
