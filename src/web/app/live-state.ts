import { createStore } from '#web/lib/store.ts'

/** `connecting` is only the first moment, before anything is known. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline'

/** What the event stream is at this moment; `live.ts` sets it. */
export const liveState = createStore<LiveState>('connecting')
