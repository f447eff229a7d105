import { getSystemErrorName } from 'node:util'
import { createTransport } from 'nodemailer'
import type { MailSettings } from '#server/core/config.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import { buildExcerpt } from './excerpt.ts'
import { describeFailure } from './outbound-http.ts'
import type { TryOutcome } from './signed-post.ts'

/** For connecting, TLS, signing in and sending together: shorter than the lease of a message. */
const timeoutMs = 20_000

/** An e-mail in the form in which it is sent. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The same in all tries, so that mail programs show it once. */
  messageId: string
  /** ISO 8601. */
  date: string
  /** Where the recipient stops such mails. */
  unsubscribeUrl: string
}

/**
 * How the mail server of the settings is reached: by TLS from the first byte (smtps), or by STARTTLS, without which
 * nothing is sent off this machine. On this machine a relay may do without, and its certificate may be its own.
 */
export function readTransport({ url }: Pick<MailSettings, 'url'>) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const isLocal = isLoopback(url)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !isLocal,
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' as const },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  }
}

/** One try to hand an e-mail to the mail server. A failure is an outcome. Throws only if `signal` aborts it. */
export async function sendMail({ url, from }: MailSettings, mail: Mail, signal: AbortSignal): Promise<TryOutcome> {
  const { unsubscribeUrl, ...rest } = mail
  const begun = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const end = (errorMessage: string | null): TryOutcome => ({
    success: errorMessage === null,
    errorMessage,
    httpStatus: null,
    latencyMs: Math.round(performance.now() - begun),
    responseExcerpt: null,
  })
  try {
    await createTransport(readTransport({ url })).sendMail({
      ...rest,
      from,
      list: { unsubscribe: unsubscribeUrl },
      // Nobody's out-of-office answers it.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: AbortSignal.any([signal, timeout]),
    })
    return end(null)
  } catch (error) {
    if (signal.aborted) throw error
    return end(
      timeout.aborted ? `Timed out after ${timeoutMs / 1000} s` : describeProblem(error as SmtpError, url, mail),
    )
  }
}

interface SmtpError extends Error {
  code?: string
  errno?: number
  response?: string
}

/** The failure without addresses and credentials. */
function describeProblem(error: SmtpError, url: string, { to }: Mail): string {
  const { code = '', errno, response, message } = error
  if (response) {
    const { username, password } = new URL(url)
    const secrets = [to, decodeURIComponent(username), decodeURIComponent(password)]
    // The codes apart: together they look like a telephone number.
    const [, codes = '', words = response] = /^(\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?)[ -]([^]*)$/.exec(response) ?? []
    return [`The mail server answered ${codes}`.trim(), buildExcerpt(words, secrets)].filter(Boolean).join(': ')
  }
  if (code === 'ETLS' || /certificate|\b(ssl|tls|starttls)\b/i.test(message))
    return 'TLS was refused: the mail server has no certificate that is known here, or offers no STARTTLS'
  if (code === 'EDNS') return 'Could not connect: unknown host name'
  if (code === 'ETIMEDOUT') return 'Could not connect: no answer from the host'
  if (errno !== undefined && errno < 0)
    return describeFailure(Object.assign(new Error('socket'), { code: getSystemErrorName(errno) }), false)
  return `The mail server ended the connection${/^E[A-Z]+$/.test(code) ? ` (${code})` : ''}`
}
