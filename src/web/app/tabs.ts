import type { LiveEvent } from '#contract/schemas/live.ts'
import type { SessionEnd } from '#web/lib/session-end.ts'
import type { LiveState } from './live-state.ts'

/** The event stream's state from the leading tab. `stream` is the connection, the rest of its last heartbeat. */
export interface StreamState {
  state: LiveState
  stream: string
  build?: string | undefined
  spreadMs?: number | undefined
}

/** What the leading tab passes on. */
export type StreamMessage = { type: 'stream-state'; state: StreamState } | { type: 'stream-event'; event: LiveEvent }

/** Messages between the tabs of one browser. */
export type TabMessage =
  | StreamMessage
  | { type: 'signed-in' }
  | { type: 'signed-out' }
  /** The provider has confirmed who sits there (public/provider-return.js). */
  | { type: 'confirmed' }
  | { type: 'session-end'; end: SessionEnd }
  | { type: 'stream-query' }

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('back-office') : undefined

export const hasTabChannel = channel !== undefined

/** Reaches every other tab, never this one. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin alone
export const postToTabs = (message: TabMessage): void => channel?.postMessage(message)

/** Calls `listener` with messages of other tabs until the signal aborts. */
export function onTabMessage(listener: (message: TabMessage) => void, signal?: AbortSignal): void {
  const onMessage = ({ data }: MessageEvent<TabMessage>) => listener(data)
  channel?.addEventListener('message', onMessage, signal ? { signal } : {})
}
