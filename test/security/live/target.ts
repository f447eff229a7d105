import { once } from 'node:events'
import { request as askHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as askHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { text } from 'node:stream/consumers'

/** A running console, and an operator of it whose password alone signs in. */
export interface Target {
  url: URL
  username: string
  password: string
  /** Of a console of our own: makes a platform key with these scopes. */
  makeKey?: (scopes: string[]) => Promise<string>
  /** Of a console of our own: what is wrong with the audit log, or null. */
  findAuditFault?: () => Promise<string | null>
}

/** A check that throws where it does not hold. One that needs more than the target has is not made. */
export interface LiveCheck {
  name: string
  needs?: 'makeKey' | 'findAuditFault'
  run: (target: Target) => Promise<void>
}

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

/** One request as it is given, without following, decoding or adding anything. */
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
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) }
}

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

export const signIn = (target: Target, headers: Record<string, string> = {}) =>
  sendJson(target, 'POST', '/api/auth/login', { username: target.username, password: target.password }, headers)

export const readSetCookies = ({ headers }: Reply): string[] => headers['set-cookie'] ?? []

/** The session's cookie of a sign-in, as a browser sends it. Throws where none came, such as for an operator with a second factor. */
export function readSession(reply: Reply): string {
  const cookie = readSetCookies(reply).find((line) => /^(__Host-)?sid=/.test(line))
  if (reply.status !== 200 || !cookie)
    throw new Error(`the sign-in opened no session: ${reply.status} ${reply.text.slice(0, 200)}`)
  return cookie.split(';')[0]!
}

const sessions = new WeakMap<Target, Promise<string>>()

/** One session for all checks: sign-ins are few. */
export async function useSession(target: Target): Promise<{ cookie: string }> {
  if (!sessions.has(target)) sessions.set(target, signIn(target).then(readSession))
  return { cookie: await sessions.get(target)! }
}
