import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { testCertificate } from './certificate.ts'

/** An e-mail as the server took it. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** As it was sent, with quoted-printable decoded. */
  raw: string
  header: (name: string) => string | undefined
  isEncrypted: boolean
  user: string | undefined
}

/** `slow`: never answers what it was given. `dropping`: hangs up. The others refuse with a code. */
type Behaviour = 'accept' | 'refuse-recipient' | 'refuse-user' | 'slow' | 'dropping'

export const mailUser = 'console@example.com'
export const mailPassword = 'p@ss:word/of#mail'

const decode = (text: string) =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

function readHeader(raw: string, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n')
  const line = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim()
}

/** A mail server on loopback, with STARTTLS (its certificate is signed by itself) and with a password. */
export async function startMailServer({ hasStartTls = true } = {}) {
  const mails: ReceivedMail[] = []
  /** `held`: e-mails that were given and never answered. */
  const state: { behaviour: Behaviour; tries: number; held: number } = { behaviour: 'accept', tries: 0, held: 0 }
  const refuse = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
  const server = new SMTPServer({
    ...testCertificate,
    disabledCommands: hasStartTls ? [] : ['STARTTLS'],
    allowInsecureAuth: !hasStartTls,
    authMethods: ['PLAIN'],
    logger: false,
    onAuth(auth, _session, done) {
      state.tries++
      const isRight = auth.username === mailUser && auth.password === mailPassword
      if (state.behaviour === 'refuse-user' || !isRight)
        return done(refuse(535, `5.7.8 ${auth.username} is not known with ${auth.password}`))
      done(null, { user: auth.username ?? '' })
    },
    onRcptTo(address, _session, done) {
      if (state.behaviour === 'refuse-recipient')
        return done(refuse(550, `5.1.1 <${address.address}> has no mailbox here`))
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (state.behaviour === 'slow') {
          state.held++
          return
        }
        if (state.behaviour === 'dropping') {
          for (const connection of server.connections) connection.close()
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        const encoded = Buffer.concat(chunks).toString('utf8')
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: decode(encoded),
          header: (name) => readHeader(encoded, name),
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const credentials = `${encodeURIComponent(mailUser)}:${encodeURIComponent(mailPassword)}`
  return {
    mails,
    state,
    url: `smtp://${credentials}@127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
