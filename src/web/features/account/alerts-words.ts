import type { AlertTiming, AlertKind } from '#contract/alerts.ts'
import { noticeWords } from '#contract/notice-words.ts'
import type { AlertChoice } from '#contract/schemas/alerts.ts'

/** What a notice is about, without a count: `Unresolved critical events`. */
export function titleOf(kind: AlertKind): string {
  const [, more] = noticeWords[kind].words
  return `${more.charAt(0).toUpperCase()}${more.slice(1)}`
}

export const timingLabels: Record<AlertTiming, string> = { off: 'Off', at_once: 'At once', digest: 'Digest' }

const inSentence: Record<Exclude<AlertTiming, 'off'>, string> = { at_once: 'at once', digest: 'in the morning digest' }

/** `E-mail at once, chat in the morning digest`. */
export function describeChoice({ email, chat }: Pick<AlertChoice, 'email' | 'chat'>): string {
  const parts = [email !== 'off' && `e-mail ${inSentence[email]}`, chat !== 'off' && `chat ${inSentence[chat]}`]
  const sentence = parts.filter((part) => part !== false).join(', ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}

export const describeHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
