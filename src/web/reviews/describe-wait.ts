import type { Wait } from '#contract/kyc-reviews.ts'

/** `48 hours`, or whole days as days: `1 day`, `5 days`. */
function describeHours(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** How long a case has waited: `Waiting for under 1 day`, `Waiting for 1 to 2 days`, `Waiting for 5 days or more`. */
export function describeWait({ from, to }: Wait): string {
  if (to === null) return `Waiting for ${describeHours(from)} or more`
  if (from === 0) return `Waiting for under ${describeHours(to)}`
  const both = from % 24 === 0 && to % 24 === 0
  return `Waiting for ${both ? from / 24 : from} to ${both ? describeHours(to) : `${to} hours`}`
}
