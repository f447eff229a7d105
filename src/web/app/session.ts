import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { authRoutes } from '#contract/auth.ts'
import type { StepUpMethod } from '#contract/factors.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import { ApiError, call, buildQuery, type Enrolment } from '#web/api.ts'
import { accountQuery } from '#web/use-can.ts'
import { clearStored } from '#web/lib/document-tokens.ts'
import { sessionEnd } from '#web/lib/session-end.ts'
import { createStore } from '#web/lib/store.ts'
import { discardUnsaved, hasUnsaved } from '#web/lib/unsaved.ts'
import { shownToast, toast } from '#web/ui/toast.ts'
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
    // The session may have ended while no page was open.
    if (!admin) clearStored()
    return admin
  },
})

/** The session ends at this instant by the browser's clock. `isFinal` means that use does not prolong it. */
export const sessionWarning = createStore<{ at: number; isFinal: boolean } | null>(null)

/** What the operator has to choose or add before anything else (product 2.4, 2.8). */
export const enrolment = createStore<Enrolment | null>(null)

/** The open question whether it is the operator (product 2.9). `answer` gets false when the operator cancels. */
export interface StepUpQuestion {
  /** Whether it is asked because the session is used from another network or browser. */
  isNewPlace: boolean
  methods: readonly StepUpMethod[]
  answer: (isConfirmed: boolean) => void
}
export const stepUpQuestion = createStore<StepUpQuestion | null>(null)

/** The admin whose session ended with unsent input open, who signs in again over it. Else null. */
export const signInNeeded = createStore<Admin | null>(null)

/** Removes the former session from memory and storage. */
function clearSession(): void {
  clearTimeout(redirect)
  redirect = undefined
  clearStored()
  discardUnsaved()
  signInNeeded.set(null)
  enrolment.set(null)
  sessionEnd.set(null)
}

function clearData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
  client.getMutationCache().clear()
}

/**
 * Shows the login form. `inPlace` keeps the address where another tab signed out, so that this tab returns to it
 * (product 2.2).
 */
export function showLogin(client: QueryClient, inPlace = false): void {
  // Clear the admin before the address changes, else the router would redirect /login to the dashboard.
  client.setQueryData(sessionQuery.queryKey, null)
  if (!inPlace) window.history.pushState(null, '', '/login')
  clearSession()
  // After the screens are gone, since removing data would look to them like an answer.
  setTimeout(() => clearData(client))
}

export async function signOut(client: QueryClient): Promise<void> {
  await call(authRoutes.logout)
  showLogin(client)
  postToTabs({ type: 'signed-out' })
}

const redirectAfterMs = 500
let redirect: ReturnType<typeof setTimeout> | undefined

/** Keeps unsent input open and asks for a new sign-in over it. False when there is none. */
function keepUnsavedForms(client: QueryClient): boolean {
  const admin = client.getQueryData(sessionQuery.queryKey)
  if (!admin || !hasUnsaved()) return false
  signInNeeded.set(admin)
  return true
}

/** Reports the ended session once, however many calls fail, then goes to /login (product 9.2, Unauthorized). */
export function endSession(client: QueryClient): void {
  if (redirect || signInNeeded.get() || !client.getQueryData(sessionQuery.queryKey)) return
  if (keepUnsavedForms(client)) return
  toast({ tone: 'destructive', title: 'Unauthorized', description: 'You are logged out. Redirecting to login...' })
  redirect = setTimeout(() => showLogin(client), redirectAfterMs)
}

/** Shows the console to the present admin. The same admin continues, another one starts afresh. */
function showConsole(client: QueryClient, admin: Admin): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (known?.id === admin.id) {
    // The role may be another one after a new sign-in.
    if (signInNeeded.get()) void client.invalidateQueries({ queryKey: accountQuery.queryKey })
    return signInNeeded.set(null)
  }
  clearSession()
  clearData(client)
  // What was said of an earlier try.
  shownToast.set(null)
  if (window.location.pathname === '/login') window.history.replaceState(null, '', '/')
  client.setQueryData(sessionQuery.queryKey, admin)
}

/** Completes a sign-in in this tab and announces it to the others. */
export function completeSignIn(client: QueryClient, admin: Admin): void {
  showConsole(client, admin)
  postToTabs({ type: 'signed-in' })
}

/** Asks the server whose session this is and applies the answer. False when it has ended. */
export async function checkSession(client: QueryClient): Promise<boolean> {
  try {
    const admin = await fetchCurrentAdmin({ isPassive: true })
    if (admin) showConsole(client, admin)
    else endSession(client)
    return admin !== null
  } catch {
    // A missing answer says nothing about the session.
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

/** Waits until the operator has signed in again. Rejects when the read's screen is left. */
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
