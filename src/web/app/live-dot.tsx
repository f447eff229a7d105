import { useEffect, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { useStore } from '#web/lib/store.ts'
import { currentAt, liveState, type LiveState } from './live-state.ts'

const looks: Record<LiveState, { word: string; ink: string; dot: string }> = {
  live: { word: 'Live', ink: 'text-success-ink', dot: 'bg-success-solid shadow-[0_0_0_3px_var(--success-soft)]' },
  connecting: { word: 'Connecting', ink: 'text-neutral-ink', dot: 'bg-neutral-solid' },
  reconnecting: {
    word: 'Reconnecting',
    ink: 'text-warning-ink',
    dot: 'bg-warning-solid shadow-[0_0_0_3px_var(--warning-soft)]',
  },
  offline: { word: 'Offline', ink: 'text-neutral-ink', dot: 'bg-neutral-solid shadow-[0_0_0_3px_var(--neutral-soft)]' },
}
const connectingMs = 1500

const formatTime = (at: number) => formatInstant(new Date(at).toISOString()).slice(-5)

/** Shows the true state of the event stream. Shows nothing in the first moment of a visit. */
export default function LiveDot() {
  const state = useStore(liveState)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), connectingMs)
    return () => clearTimeout(timer)
  }, [])
  const shown = state === 'connecting' && !isLate ? null : state
  const label = shown === 'offline' ? `Offline. Data from ${formatTime(currentAt.get())}` : shown && looks[shown].word
  return (
    <output data-offline={shown === 'offline' || undefined} className="shrink-0 max-md:mx-1.5">
      {shown && (
        <span
          title={label ?? undefined}
          className={cn('flex items-center gap-1.5 text-12 font-medium', looks[shown].ink)}
        >
          <span aria-hidden className={cn('keep-colour size-[7px] rounded-full', looks[shown].dot)} />
          <span
            className={
              shown === 'offline'
                ? 'max-md:absolute max-md:inset-x-0 max-md:bottom-0 max-md:h-6 max-md:border-t max-md:px-(--gutter) max-md:leading-5.5'
                : 'max-md:sr-only'
            }
          >
            {label}
          </span>
        </span>
      )}
    </output>
  )
}
