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
