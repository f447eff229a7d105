import { once } from 'node:events'
import { request as askHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as askHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { text } from 'node:stream/consumers'

/** A running console, and an operator of it who may read members. */
export interface Target {
  url: URL
  username: string
  password: string
  /** Of the operator's authenticator app, in base 32. Without it the password alone has to sign in. */
  totpSecret?: string
  /** When the names of default accounts were last tried there, and not let in. Without it they are tried each time. */
  defaultAccounts?: { readLast: () => Date | null; keep: (at: Date) => void }
  /** Of a console of our own: makes a platform key with these scopes. */
  makeKey?: (scopes: string[]) => Promise<string>
  /** Of a console of our own: what is wrong with the audit log, or null. */
  findAuditFault?: () => Promise<string | null>
}

export type Need = 'session' | 'makeKey' | 'findAuditFault'

/** A check that throws where it does not hold. One that needs more than the target has is not made. */
export interface LiveCheck {
  name: string
  needs?: Need
  /** Answers why it holds, where that is not plain. Throws NotChecked where it cannot tell. */
  run: (target: Target) => Promise<string | void>
}

/** Nothing was found out: neither that the check holds nor that it does not. */
export class NotChecked extends Error {}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Ask {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** One request as it is given, without following, decoding or adding anything. Throws NotChecked for 429. */
export async function send(
  { url }: Target,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Reply> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const { hostname, port } = url
  const options: RequestOptions = { hostname, port, path, method, headers: { ...length, ...headers }, agent: false }
  const ask = url.protocol === 'https:' ? askHttps : askHttp
  const request = ask(options).setTimeout(20_000, () => request.destroy(new Error(`${method} ${path}: no answer`)))
  request.end(body)
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const answer = await text(reply)
  // A limit answers before what is asked about is looked at.
  if (reply.statusCode === 429)
    throw new NotChecked(`the console answers 429 to ${method} ${path}; try again in ${describeWait(reply)}`)
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: answer }
}

const describeWait = ({ headers }: IncomingMessage) =>
  headers['retry-after'] === undefined ? 'a minute' : `${headers['retry-after']} seconds`

export const sendJson = (
  target: Target,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  send(target, path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** What the console answers to these very bytes, to the end of the connection or for two seconds. */
export async function sendRaw({ url }: Target, bytes: string): Promise<string> {
  const options = { host: url.hostname, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
  const socket: Socket =
    url.protocol === 'https:' ? connectTls({ ...options, servername: url.hostname }) : connect(options)
  let answer = ''
  await new Promise<void>((done) => {
    socket.setTimeout(2000, done)
    socket
      .on('data', (part) => (answer += part))
      .on('error', () => done())
      .on('close', () => done())
    socket.write(bytes)
  })
  socket.destroy()
  return answer
}

export const readSetCookies = ({ headers }: Reply): string[] => headers['set-cookie'] ?? []
