import { alertCodeMinutes, type AlertKind } from '#contract/alerts.ts'
import { describeNotice, noticeWords } from '#contract/notice-words.ts'
import type { Mail } from './smtp.ts'

/** What an alert says: notices with their counts, and nothing else. */
export interface AlertNotice {
  kind: AlertKind
  count: number
}

/** The messages to operators, by their types in the delivery log. */
export const alertTypes = ['alert.notices', 'alert.digest', 'alert.test', 'alert.code'] as const
export type AlertType = (typeof alertTypes)[number]

interface Alert {
  type: AlertType
  notices: readonly AlertNotice[]
  /** Of `alert.code`. */
  code?: string
  /** The console's address, without a path. */
  origin: string
}

interface Line {
  text: string
  where: string
  url: string
}

const accountUrl = ({ origin }: Pick<Alert, 'origin'>) => `${origin}/account`

function toLine({ kind, count }: AlertNotice, origin: string): Line {
  const { where, to, search } = noticeWords[kind]
  const query = new URLSearchParams(search).toString()
  return { text: describeNotice(kind, count), where, url: `${origin}${to}${query && `?${query}`}` }
}

/** `3 orders expire within 24 hours`, with how many more notices there are. */
function describeFirst({ notices: [first, ...rest] }: Alert): string {
  if (!first) return 'Nothing waits'
  const words = describeNotice(first.kind, first.count)
  return rest.length === 0 ? words : `${words}, and ${rest.length} more`
}

export const describeSubject = (alert: Alert): string =>
  ({
    'alert.notices': describeFirst(alert),
    'alert.digest': `This morning: ${describeFirst(alert)}`,
    'alert.test': 'A test of alerts by e-mail',
    'alert.code': 'Your code for alerts by e-mail',
  })[alert.type]

/** The sentence above the list. */
const describeOpening = ({ type, code }: Alert): string =>
  ({
    'alert.notices': 'This waits in the console:',
    'alert.digest': 'This waits in the console this morning:',
    'alert.test': 'This is the test that you asked for. Alerts reach you here.',
    'alert.code': `${code} is the code to enter in the console. It counts for ${alertCodeMinutes} minutes. Did you not ask for it? Then somebody has mistyped an address, and you need do nothing.`,
  })[type]

const hasSubscription = ({ type }: Alert) => type !== 'alert.code'
const closing = 'You get this because you chose it on your Account screen.'

/** The text for a chat. */
export function buildChatText(alert: Alert): string {
  const lines = alert.notices.map((notice) => toLine(notice, alert.origin))
  return [describeOpening(alert), ...lines.map(({ text, url }) => `• ${text}: ${url}`)].join('\n')
}

function buildMailText(alert: Alert): string {
  const lines = alert.notices.map((notice) => toLine(notice, alert.origin))
  return [
    describeOpening(alert),
    ...lines.map(({ text, where, url }) => `${text}\n${where}: ${url}`),
    ...(hasSubscription(alert) ? [`${closing} Choose others, or none: ${accountUrl(alert)}`] : []),
  ].join('\n\n')
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Colours for mail programs that know light and dark; others show the first. */
const styles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #17181c !important; color: #e8e9ec !important; }
    .card { background: #202127 !important; border-color: #34363d !important; }
    .quiet { color: #a2a5ad !important; }
    .link { color: #9db4ff !important; }
  }`
const font = `font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; line-height: 1.5`

const buildItem = ({ text, where, url }: Line) =>
  `<tr><td class="card" style="border-top: 1px solid #e3e4e8; padding: 12px 16px">
    <a class="link" href="${escapeHtml(url)}" style="color: #2b4bd1; font-size: 15px; font-weight: 600; text-decoration: none">${escapeHtml(text)}</a>
    <div class="quiet" style="color: #5f626b; font-size: 13px">${escapeHtml(where)}</div>
  </td></tr>`

function buildMailHtml(alert: Alert): string {
  const { type, notices, origin, code } = alert
  const items = notices.map((notice) => buildItem(toLine(notice, origin))).join('')
  const large =
    type === 'alert.code' ? `<div style="font-size: 28px; letter-spacing: 4px; padding: 4px 0 8px">${code}</div>` : ''
  const list = items && `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${items}</table>`
  const footer = hasSubscription(alert)
    ? `<p class="quiet" style="color: #5f626b; font-size: 12px; margin: 16px 0 0">${closing}
      <a class="link" href="${escapeHtml(accountUrl(alert))}" style="color: #2b4bd1">Choose others, or none</a></p>`
    : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(describeSubject(alert))}</title><style>${styles}</style></head>
<body class="page" style="margin: 0; padding: 24px 12px; background: #f6f7f9; color: #1c1d21; ${font}">
<div style="max-width: 520px; margin: 0 auto">
<div class="card" style="background: #ffffff; border: 1px solid #e3e4e8; border-radius: 8px; overflow: hidden">
<div style="padding: 16px; font-size: 15px">${large}${escapeHtml(describeOpening(alert))}</div>${list}</div>
${footer}
<p class="quiet" style="color: #5f626b; font-size: 12px; margin: 4px 0 0">${escapeHtml(new URL(origin).host)}</p>
</div></body></html>`
}

/** The e-mail of an alert, as text and as HTML. */
export const buildMail = (alert: Alert): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> => ({
  subject: describeSubject(alert),
  text: buildMailText(alert),
  html: buildMailHtml(alert),
  unsubscribeUrl: accountUrl(alert),
})
