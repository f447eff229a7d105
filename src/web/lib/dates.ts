import { createStore } from './store.ts'

const instantFormat = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Day and hour of an instant in the browser's time zone: `Nov 20, 2026` and `at 14:08`. */
export function splitInstant(instant: string): { day: string; hour: string } {
  const found = instantFormat.formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => found.find((each) => each.type === type)?.value ?? ''
  return { day: `${part('month')} ${part('day')}, ${part('year')}`, hour: `at ${part('hour')}:${part('minute')}` }
}

/** `MMM dd, yyyy at HH:mm` in the browser's time zone (product 9.8): `Nov 20, 2026 at 14:08`. */
export function formatInstant(instant: string): string {
  const { day, hour } = splitInstant(instant)
  return `${day} ${hour}`
}

/** The server's text with its instants, which it can only say in UTC, as the browser's zone says them (product 9.8). */
export const localizeInstants = (text: string): string =>
  text.replace(/[A-Z][a-z]{2} \d\d, \d{4} at \d\d:\d\d UTC/g, (at) => formatInstant(at.replace(' at', '')))

const dayFormat = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: '2-digit', timeZone: 'UTC' })

/** A calendar day without a zone (`1991-03-14`) as `Mar 14, 1991`. */
export const formatDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

function readBrowserZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The browser's time zone. Null where it means nothing to the browser (`Etc/Unknown`) or to the server. */
export const browserZone = createStore(readBrowserZone())

/** The zone whose days the server counts. */
export const getTimeZone = (): string => browserZone.get() ?? 'UTC'

/** Today, as `2026-01-05`. */
export const formatToday = (): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: getTimeZone() }).format(new Date())

interface Days {
  from: string | undefined
  to: string | undefined
}

/** A range of days for a list's call, with the zone whose days they are. */
export const withZone = ({ from, to }: Days) => ({ from, to, ...((from || to) && { timeZone: getTimeZone() }) })
