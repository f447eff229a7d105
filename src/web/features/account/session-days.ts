import type { AccountSession } from '#contract/schemas/account.ts'

/** The day of an instant in the browser's time zone, as the address bar has it: `2026-11-23`. */
function readDay(instant: string): string {
  const at = new Date(instant)
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The days on which a session was used: from its sign-in on, and until its last use where it is another browser's. */
export const findSessionDays = ({ createdAt, lastActiveAt, isCurrent }: AccountSession) => ({
  from: readDay(createdAt),
  ...(!isCurrent && { to: readDay(lastActiveAt) }),
})
