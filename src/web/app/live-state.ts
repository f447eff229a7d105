import { createStore } from '#web/lib/store.ts'

/** `connecting` is only the first moment, before anything is known. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline'

/** What the event stream is at this moment; `page-updater.ts` and `live.ts` set it. */
export const liveState = createStore<LiveState>('connecting')

/** When this tab last showed the server's state. */
export const currentAt = createStore(Date.now())

/** The server serves another build of the console than this page is. */
export const isOutdated = createStore(false)

/** A new sign-in ends the old session. That event may come before the answer with the new cookie. */
export const signInGraceMs = 1000
