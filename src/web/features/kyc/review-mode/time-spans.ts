import { getServerNow } from '#web/lib/clock.ts'

/** Whole years since a calendar day (`1991-03-14`), by the operator's local date. */
export function calculateAge(day: string, today = new Date()): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const hasHadBirthday = today.getMonth() + 1 > month || (today.getMonth() + 1 === month && today.getDate() >= date)
  return today.getFullYear() - year - (hasHadBirthday ? 0 : 1)
}

/** A member below this age is a minor in most countries. The form warns the operator. */
export const adultAge = 18

const minute = 60_000
const units = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const

/** How long ago, in its largest unit: "7 days". */
export function formatElapsed(instant: string, now = getServerNow()): string {
  const past = Math.max(0, now - Date.parse(instant))
  const [unit, length] = units.find(([, each]) => past >= each) ?? units[2]
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat('en-US', style).format(Math.floor(past / length))
}
