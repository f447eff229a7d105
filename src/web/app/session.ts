import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { authRoutes } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import { ApiError, call, buildQuery } from '#web/api.ts'
import { clearStored } from '#web/lib/document-tokens.ts'
import { sessionEnd } from '#web/lib/session-end.ts'
import { createStore } from '#web/lib/store.ts'
import { discardUnsaved, hasUnsaved } from '#web/lib/unsaved.ts'
import { toast } from '#web/ui/toast.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

const queryKey: readonly string[] = buildQuery(authRoutes.currentUser).queryKey

/** Who is signed in; null is nobody, and no error (product 8.5). */
async function fetchCurrentAdmin(how: { signal?: AbortSignal; isPassive?: boolean }): Promise<Admin | null> {
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
    const admin = await fetchCurrentAdmin({ signal })
    // The session may have ended while no page of ours was open.
    if (!admin) clearStored()
    return admin
  },
})

/** The session is about to end, at that instant by this browser's clock; `isFinal`: use does not prolong it. */
export const sessionWarning = createStore<{ at: number; isFinal: boolean } | null>(null)

/** Whose session has ended while something they wrote is open: they sign in again over it. Else null. */
export const signInNeeded = createStore<Admin | null>(null)

/** Nothing of the former session stays in memory or storage. */
function clearSession(): void {
  clearTimeout(redirect)
  redirect = undefined
  clearStored()
  discardUnsaved()
  signInNeeded.set(null)
  sessionEnd.set(null)
}

function clearData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
  client.getMutationCache().clear()
}

/** Back to the login form; in place where another tab signed out, so that each tab goes on where it was (product 2.2). */
export function showLogin(client: QueryClient, inPlace = false): void {
  // First nobody, then the address: to an admin the router answers /login with the dashboard.
  client.setQueryData(sessionQuery.queryKey, null)
  if (!inPlace) window.history.pushState(null, '', '/login')
  clearSession()
  // Once its screens are gone: to them, a read that is given up would seem to have come.
  setTimeout(() => clearData(client))
}

export async function signOut(client: QueryClient): Promise<void> {
  await call(authRoutes.logout)
  showLogin(client)
  postToTabs({ type: 'signed-out' })
}

const redirectAfterMs = 500
let redirect: ReturnType<typeof setTimeout> | undefined

/** What the operator wrote stays where it is, and they are asked to sign in over it; false when there is nothing. */
function keepUnsavedForms(client: QueryClient): boolean {
  const admin = client.getQueryData(sessionQuery.queryKey)
  if (!admin || !hasUnsaved()) return false
  signInNeeded.set(admin)
  return true
}

/** Product 9.2, Unauthorized: says so once, however many calls fail at a time, then goes to /login. */
export function endSession(client: QueryClient): void {
  if (redirect || signInNeeded.get() || !client.getQueryData(sessionQuery.queryKey)) return
  if (keepUnsavedForms(client)) return
  toast({ tone: 'destructive', title: 'Unauthorized', description: 'You are logged out. Redirecting to login...' })
  redirect = setTimeout(() => showLogin(client), redirectAfterMs)
}

/** Shows the console to whoever is signed in now: the same admin goes on where they were, another starts anew. */
function showConsole(client: QueryClient, admin: Admin): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (known?.id === admin.id) return signInNeeded.set(null)
  clearSession()
  clearData(client)
  if (window.location.pathname === '/login') window.history.replaceState(null, '', '/')
  client.setQueryData(sessionQuery.queryKey, admin)
}

/** A sign-in in this tab, which the other tabs follow. */
export function completeSignIn(client: QueryClient, admin: Admin): void {
  showConsole(client, admin)
  postToTabs({ type: 'signed-in' })
}

/** Asks whose session it is, and goes by it; false when it is over. */
export async function checkSession(client: QueryClient): Promise<boolean> {
  try {
    const admin = await fetchCurrentAdmin({ isPassive: true })
    if (admin) showConsole(client, admin)
    else endSession(client)
    return admin !== null
  } catch {
    // Nobody answered: that is the connection's matter, not the session's.
    return true
  }
}

/** Follows the sign-ins and sign-outs of the browser's other tabs. */
export function followTabs(client: QueryClient): void {
  onTabMessage(({ type }) => {
    if (type === 'signed-in') void checkSession(client)
    if (type === 'signed-out' && client.getQueryData(sessionQuery.queryKey) && !keepUnsavedForms(client))
      showLogin(client, true)
  })
}

/** Reads wait here while the session is over; those of a screen that is left are given up. */
export async function waitForSignIn(client: QueryClient, signal: AbortSignal): Promise<void> {
  endSession(client)
  await new Promise<void>((resolve, reject) => {
    const stop = signInNeeded.subscribe(() => {
      if (signInNeeded.get()) return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      reject(new DOMException('The session is over', 'AbortError'))
    })
  })
}
