import { noticeKinds, type NoticeKind } from './notices.ts'
import type { Routes } from './route.ts'
import type { alertSchemas } from './schemas/alerts.ts'

/** Where alerts go: what a notice says, sent to the operator who chose it (product 3.10). */
export const alertOutputs = ['email', 'chat'] as const
export type AlertOutput = (typeof alertOutputs)[number]

/** When a notice becomes an alert. */
export const alertTimings = ['off', 'at_once', 'digest'] as const
export type AlertTiming = (typeof alertTimings)[number]

/** Alerts about alerts that fail would fail too, and be one more each time. */
export type AlertKind = Exclude<NoticeKind, 'failed_alerts'>
export const alertKinds = noticeKinds.filter((kind): kind is AlertKind => kind !== 'failed_alerts')

/** After an alert at once, growth of the same notice waits so long and is told together. */
export const alertPauseMinutes = 15

/** An alert older than this is not sent any more: what waits now is in the next one. */
export const alertHours = 24

/** The digits of the code that proves an e-mail address, how long it counts, and how many tries it has. */
export const alertCodeDigits = 8
export const alertCodeMinutes = 15
export const alertCodeTries = 5

/** The time between two codes, and between two tests of one output. */
export const alertRepeatSeconds = 60
/** Codes of one operator in 24 hours. */
export const mostAlertCodes = 10

export const defaultDigestHour = 8

export const longestEmail = 254
export const emailProblem = 'must be an e-mail address such as name@example.com'

/** One address that a mail server takes as it is: ASCII, without quotes, and with a host name. */
export const isEmail = (value: string): boolean =>
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i.test(value)

export const alertRoutes: Routes<typeof alertSchemas> = {
  read: { method: 'GET', path: '/api/account/alerts', access: 'admin' },
  choose: { method: 'PUT', path: '/api/account/alerts', access: 'admin', versioned: true },
  setEmail: { method: 'PUT', path: '/api/account/alerts/email', access: 'admin', stepUp: true },
  confirmEmail: { method: 'POST', path: '/api/account/alerts/email/confirm', access: 'admin' },
  setChat: { method: 'PUT', path: '/api/account/alerts/chat', access: 'admin', stepUp: true },
  remove: { method: 'DELETE', path: '/api/account/alerts/:output', access: 'admin' },
  test: { method: 'POST', path: '/api/account/alerts/:output/test', access: 'admin' },
}
