import { createStore } from '#web/lib/store.ts'

/** `connecting` is only the first moment, before anything is known. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline'

/** What the event stream is at this moment; `live.ts` sets it. */
export const liveState = createStore<LiveState>('connecting')

/** When this tab was last known to show what the server has. */
export const currentAt = createStore(Date.now())

/** The server serves another build of the console than this page is. */
export const isOutdated = createStore(false)

/** A new sign-in ends the session before: its announcement may come before the answer that brings the new cookie. */
export const signInGraceMs = 1000
