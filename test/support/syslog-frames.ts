/** A message as a collector reads it by RFC 5424, written down apart from the code that sends. */
export interface ReadMessage {
  facility: number
  severity: number
  time: string
  host: string
  application: string
  messageId: string
  element: string
  data: Record<string, string>
  text: string
}

const grammar =
  /^<(\d{1,3})>1 (\S+) (\S+) (\S+) - (\S+) \[([^ =\]"]+)((?: [^ =\]"]+="(?:[^"\\\]]|\\["\\\]])*")*)\] \ufeff(.*)$/su

function readMessage(message: string): ReadMessage {
  const found = grammar.exec(message)
  if (!found) throw new Error(`no syslog message: ${message}`)
  const [, priority, time, host, application, messageId, element, parameters = '', text] = found
  const pairs = [...parameters.matchAll(/ ([^ =\]"]+)="((?:[^"\\\]]|\\["\\\]])*)"/gu)]
  const data = Object.fromEntries(pairs.map(([, name, value]) => [name!, value!.replace(/\\(["\\\]])/g, '$1')]))
  return {
    facility: Math.floor(Number(priority) / 8),
    severity: Number(priority) % 8,
    time: time!,
    host: host!,
    application: application!,
    messageId: messageId!,
    element: element!,
    data,
    text: text!,
  }
}

/** The messages of a connection, each behind the number of its octets (RFC 6587, 3.4.1). */
export function readFrames(bytes: Buffer): ReadMessage[] {
  const messages: ReadMessage[] = []
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at)
    const length = /^[1-9]\d*$/.exec(bytes.toString('latin1', at, blank))
    if (blank < 0 || !length) throw new Error('no length stands before a message')
    const end = blank + 1 + Number(length[0])
    if (end > bytes.length) throw new Error('a message is cut off')
    messages.push(readMessage(bytes.toString('utf8', blank + 1, end)))
    at = end
  }
  return messages
}
