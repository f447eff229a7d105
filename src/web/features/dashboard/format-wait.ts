import { getServerNow } from '#web/lib/clock.ts'

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
]

/** How long ago an instant was, in its largest whole unit: `6 days`, `1 hour`. */
export function formatWait(instant: string, now = getServerNow()): string {
  const waited = now - Date.parse(instant)
  for (const { name, ms } of units) {
    const count = Math.floor(waited / ms)
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}

const shortUnits = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
]

/** A duration in its largest whole unit: `7 s`, `3 min`, `2 d`. */
export function formatDuration(duration: number): string {
  const { unit, seconds } = shortUnits.find((each) => duration >= each.seconds) ?? { unit: 's', seconds: 1 }
  return `${Math.floor(duration / seconds)} ${unit}`
}
