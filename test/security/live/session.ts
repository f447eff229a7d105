import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { NotChecked, type Reply, readSetCookies, send, sendJson, type Target } from './target.ts'

const codeSeconds = 30

/** The cookies of a reply, as a browser sends them back. */
const readCookies = (reply: Reply): string =>
  readSetCookies(reply)
    .map((line) => line.split(';')[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

const readField = ({ text }: Reply, name: string): unknown => {
  try {
    return (JSON.parse(text) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** When the code that was last given is over: each counts once. */
const codeEnds = new WeakMap<Target, number>()

async function sendCode(target: Target, secret: string, cookie: string): Promise<Reply> {
  await wait(Math.max(0, (codeEnds.get(target) ?? 0) - Date.now()))
  const now = Date.now()
  codeEnds.set(target, (Math.floor(now / 1000 / codeSeconds) + 1) * codeSeconds * 1000)
  const code = new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) }).generate({ timestamp: now })
  return sendJson(target, 'POST', '/api/auth/mfa/totp', { code }, { cookie })
}

const codeMissing = 'the secret of its authenticator app in VERIFY_TOTP_SECRET'

/**
 * Signs in with password and, where the console asks for it, a code: the second sign-in waits for the next code. Answers the reply
 * that opened the session. Throws NotChecked, naming what is missing, where none is opened.
 */
export async function signIn(target: Target, headers: Record<string, string> = {}): Promise<Reply> {
  const { username, password, totpSecret } = target
  const reply = await sendJson(target, 'POST', '/api/auth/login', { username, password }, headers)
  if (reply.status !== 200)
    throw new NotChecked(`an operator who can sign in: ${username} gets ${describeReply(reply)}`)
  if (readField(reply, 'mfaRequired') !== true) return reply
  if (!totpSecret) throw new NotChecked(`${codeMissing}: ${username} has a second factor`)
  // The session of before goes with it, as a browser sends both, so that it is ended.
  const cookie = [headers.cookie, readCookies(reply)].filter(Boolean).join('; ')
  const first = await sendCode(target, totpSecret, cookie)
  // Anyone who has the app may have used the code of these 30 seconds.
  const last = first.status === 401 ? await sendCode(target, totpSecret, cookie) : first
  if (last.status !== 200) throw new NotChecked(`${codeMissing}: the console answers ${describeReply(last)}`)
  return last
}

const describeReply = (reply: Reply) => {
  const message = readField(reply, 'message')
  return typeof message === 'string' ? `${reply.status} ${message}` : String(reply.status)
}

/** The session's cookie of a sign-in, as a browser sends it. Throws where none came. */
export function readSession(reply: Reply): string {
  const cookie = readSetCookies(reply).find((line) => /^(__Host-)?sid(-\d+)?=/.test(line))
  if (!cookie) throw new Error('the sign-in set no cookie of a session')
  return cookie.split(';')[0]!
}

const signIns = new WeakMap<Target, Promise<Reply>>()

/** The sign-in that the checks share: sign-ins are few. */
export function shareSignIn(target: Target): Promise<Reply> {
  const shared = signIns.get(target) ?? signIn(target)
  signIns.set(target, shared)
  return shared
}

/** What follows a sign-in that ended the shared session; null where the next check has to sign in again. */
export const replaceSignIn = (target: Target, reply: Reply | null) =>
  reply ? signIns.set(target, Promise.resolve(reply)) : signIns.delete(target)

/** The session that the checks share. */
export async function useSession(target: Target): Promise<{ cookie: string }> {
  return { cookie: readSession(await shareSignIn(target)) }
}

/** What is missing for the checks that need a session, by the reply to a call of any operator; undefined if nothing is. */
export async function findSessionLack(target: Target): Promise<string | undefined> {
  try {
    const reply = await send(target, '/api/users?limit=1', { headers: await useSession(target) })
    if (reply.status === 200) return undefined
    if (readField(reply, 'code') === 'factor_required')
      return `an operator with an authenticator app, and ${codeMissing}: this console requires second factors and ${target.username} has none`
    return `an operator who may read members, such as a Viewer: ${target.username} gets ${describeReply(reply)}`
  } catch (error) {
    if (error instanceof NotChecked) return error.message
    throw error
  }
}
