import net from 'node:net'
import tls from 'node:tls'
import { describeFailure } from './outbound-http.ts'

/** RFC 5424: the number of a severity or a facility. */
export const syslogSeverities = { critical: 2, error: 3, warning: 4, notice: 5, informational: 6 } as const
export const syslogFacilities = { authorization: 10, audit: 13 } as const

export interface SyslogMessage {
  facility: keyof typeof syslogFacilities
  severity: keyof typeof syslogSeverities
  /** ISO 8601 in UTC. */
  time: string
  host: string
  messageId: string
  /** Parameters of the one structured element. Those without a value are left out. */
  data: Record<string, string | null>
  /** The text, without control characters. */
  text: string
}

/** IANA keeps 32473 for anyone who has no number of their own (RFC 5612). */
export const syslogElement = 'backOffice@32473'
const application = 'back-office'

/** A header field: visible ASCII alone, or `-`. */
const formatField = (value: string, most: number) => value.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-'
const formatValue = (value: string) => value.replace(/["\\\]]/g, String.raw`\$&`)

/** One message by RFC 5424. The mark before the text says that it is UTF-8. */
export function formatSyslog({ facility, severity, time, host, messageId, data, text }: SyslogMessage): string {
  const priority = syslogFacilities[facility] * 8 + syslogSeverities[severity]
  const header = `<${priority}>1 ${time} ${formatField(host, 255)} ${application} - ${formatField(messageId, 32)}`
  const parameters = Object.entries(data).flatMap(([name, value]) =>
    value === null ? [] : [` ${name}="${formatValue(value)}"`],
  )
  return `${header} [${syslogElement}${parameters.join('')}] \ufeff${text}`
}

/** The octets of a message stand before it (RFC 5425, RFC 6587), so that a text may hold anything. */
const frameMessage = (message: string) => `${Buffer.byteLength(message)} ${message}`

const defaultPorts: Record<string, number> = { 'tls:': 6514, 'tcp:': 601 }

function connect({ protocol, hostname, port }: URL): net.Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const to = { host, port: Number(port) || defaultPorts[protocol]! }
  if (protocol === 'tcp:') return net.connect(to)
  return tls.connect({ ...to, ...(net.isIP(host) === 0 && { servername: host }), minVersion: 'TLSv1.2' })
}

/**
 * Sends messages on a connection of their own. Syslog has no acknowledgement. So this ends the connection and waits
 * until the other side has ended it too: one that closes before it has read everything resets it instead. Returns the
 * failure, or null. Throws only if `signal` aborts it.
 */
export function sendSyslog(
  url: URL,
  messages: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connect(url)
    let isFlushed = false
    let isAnswered = false
    const end = (failure: string | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(failure)
    }
    const giveUp = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'))
      end(null)
    }
    const timer = setTimeout(() => end(`Timed out after ${timeoutMs / 1000} s`), timeoutMs)
    signal.addEventListener('abort', giveUp)
    socket.once(url.protocol === 'tls:' ? 'secureConnect' : 'connect', () => {
      socket.end(messages.map(frameMessage).join(''), () => (isFlushed = true))
    })
    socket.on('end', () => (isAnswered = isFlushed))
    socket.on('error', (error) => end(describeFailure(error, false)))
    socket.on('close', () => end(isAnswered ? null : 'The connection was closed before everything was read'))
    socket.resume()
  })
}
