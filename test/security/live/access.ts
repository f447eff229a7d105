import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { allRoutes } from '#contract/schemas/routes.ts'
import { readScope } from '#contract/scopes.ts'
import { readSession, replaceSignIn, signIn, useSession } from './session.ts'
import { type LiveCheck, send, sendJson, type Target } from './target.ts'

const matrix = readFileSync(new URL('../../../docs/access-matrix.md', import.meta.url), 'utf8')

interface DocumentedCall {
  method: string
  path: string
  /** What it needs first: a permission, a session, or a scope of a platform key. */
  needs: string
}

const platformPath = '/api/platform/v1/'

/** The calls of docs/access-matrix.md, with ids that name nothing. */
const listCalls = (): DocumentedCall[] =>
  [...matrix.matchAll(/^\| `([A-Z]+) (\/api\/[^`]*)` \| ([^|]+) \|/gm)].map(([, method, path, needs]) => ({
    method: method!,
    path: path!.replace(/:\w+/g, '987654'),
    needs: needs!.replaceAll('`', ''),
  }))

export const listOperatorCalls = (): DocumentedCall[] =>
  listCalls().filter(({ path }) => !path.startsWith(platformPath))

/** Those of the platform. `needs` is the scope of each. */
export const listPlatformCalls = (): DocumentedCall[] => listCalls().filter(({ path }) => path.startsWith(platformPath))

/** Every call that changes something by a session, or before one. */
const listChanges = (): { method: string; path: string }[] =>
  allRoutes
    .filter(({ route: { method, access } }) => method !== 'GET' && readScope(access) === null)
    .map(({ route: { method, path } }) => ({ method, path: path.replace(/:\w+/g, '987654') }))

const types: Record<string, string> = { '/import': 'application/x-ndjson', '/bank-statements': 'application/xml' }
function buildPlatformCall({ method, path }: DocumentedCall, key?: string) {
  const type = Object.entries(types).find(([end]) => path.endsWith(end))?.[1] ?? 'application/json'
  return {
    method,
    headers: { ...(method !== 'GET' && { 'content-type': type }), ...(key && { authorization: `Bearer ${key}` }) },
  }
}

/** No reply tells a caller how the console is built. */
const inside = /node_modules|\.ts:|\bat [\w.]+ \(|SELECT |INSERT |pg_|\/src\/|\/home\/|\/var\//

const tellsNothing = ({ text }: { text: string }, what: string) => assert.doesNotMatch(text, inside, what)

// Each with the password that would be set, if any were.
const defaultAccounts = [
  ['admin', 'admin'],
  ['root', 'root'],
] as const
const oneDay = 24 * 3600 * 1000

/**
 * One try for a name and day, since five failures within a day lock an account for unknown browsers at this address. Throws
 * NotChecked where a lock answers.
 */
async function tryDefaultAccounts(target: Target): Promise<string | void> {
  const last = target.defaultAccounts?.readLast()
  if (last && Date.now() - last.getTime() < oneDay)
    return `as tried at ${last.toISOString()}; tried once a day, so that no account is locked`
  for (const [username, password] of defaultAccounts) {
    const { status } = await sendJson(target, 'POST', '/api/auth/login', { username, password })
    assert.equal(status, 401, `${username} with the password ${password}`)
  }
  target.defaultAccounts?.keep(new Date())
}

export const accessChecks: LiveCheck[] = [
  {
    name: 'every call of operators needs a session',
    run: async (target) => {
      const calls = listOperatorCalls()
      assert.ok(calls.length > 50)
      for (const { method, path } of calls) {
        const reply = await send(target, path, { method })
        assert.equal(reply.status, 401, `${method} ${path}`)
      }
    },
  },
  {
    name: 'every call of the platform needs a key',
    run: async (target) => {
      const calls = listPlatformCalls()
      assert.ok(calls.length > 10)
      for (const call of calls) {
        const reply = await send(target, call.path, buildPlatformCall(call))
        assert.equal(reply.status, 401, `${call.method} ${call.path}`)
      }
    },
  },
  {
    name: 'each key does what its scopes allow',
    needs: 'makeKey',
    run: async (target) => {
      const calls = listPlatformCalls()
      const scopes = [...new Set(calls.map(({ needs }) => needs))]
      for (const scope of scopes) {
        const key = await target.makeKey!([scope])
        for (const call of calls) {
          const { status } = await send(target, call.path, buildPlatformCall(call, key))
          assert.equal(status === 403, call.needs !== scope, `${call.method} ${call.path} with ${scope}: ${status}`)
        }
      }
    },
  },
  {
    name: 'a made-up session opens nothing',
    run: async (target) => {
      for (const token of ['', 'a', 'A'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])
        for (const name of ['sid', '__Host-sid', `sid-${target.url.port}`])
          assert.equal(
            (await send(target, '/api/users', { headers: { cookie: `${name}=${token}` } })).status,
            401,
            token,
          )
    },
  },
  {
    name: 'reading begins no session',
    run: async (target) => {
      for (const path of ['/', '/login', '/users', '/live', '/api/auth/user', '/api/nothing'])
        assert.equal((await send(target, path)).headers['set-cookie'], undefined, path)
    },
  },
  { name: 'no default account opens the console', run: tryDefaultAccounts },
  {
    name: 'changes that another site asks for are refused',
    needs: 'session',
    run: async (target) => {
      const session = await useSession(target)
      const signs: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
      ]
      const changes = listChanges()
      assert.ok(changes.length > 50)
      for (const { method, path } of changes)
        for (const sign of signs) {
          const reply = await send(target, path, { method, headers: { ...session, ...sign } })
          assert.equal(reply.status, 403, `${method} ${path} ${JSON.stringify(sign)}`)
          assert.match(reply.text, /another site/, `${method} ${path} ${JSON.stringify(sign)}`)
        }
      assert.equal((await send(target, '/api/auth/user', { headers: session })).status, 200, 'the session goes on')
    },
  },
  {
    name: 'bodies of forms are refused',
    needs: 'session',
    run: async (target) => {
      const session = await useSession(target)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        for (const path of ['/api/auth/login', '/api/users/987654/ban']) {
          const reply = await send(target, path, {
            method: 'POST',
            headers: { ...session, 'content-type': type },
            body: 'reason=a',
          })
          // The guard refuses an operator who may not ban before the body is looked at.
          assert.ok(reply.status === 415 || (path.endsWith('/ban') && reply.status === 403), `${path} ${type}`)
        }
    },
  },
  {
    name: 'no change is made by GET',
    needs: 'session',
    run: async (target) => {
      const session = await useSession(target)
      const calls = listOperatorCalls()
      const reads = new Set(calls.filter(({ method }) => method === 'GET').map(({ path }) => path))
      for (const path of new Set(calls.map((call) => call.path)))
        if (!reads.has(path)) {
          const { status } = await send(target, path, { headers: session })
          assert.ok(status === 404 || status === 405, `GET ${path}: ${status}`)
        }
    },
  },
  {
    name: 'refusals tell nothing of the inside',
    needs: 'session',
    run: async (target) => {
      const session = await useSession(target)
      for (const path of [
        '/api/users/%ff',
        '/api/nothing',
        '/api/users?page=a',
        '/api/orders/0x',
        `/api/users/${'x'.repeat(400)}`,
      ])
        tellsNothing(await send(target, path, { headers: session }), path)
      for (const body of ['{', '[]', '"a"', '{"username":{}}'])
        tellsNothing(await sendJson(target, 'POST', '/api/auth/login', body), body)
    },
  },
  {
    name: 'the description is not public',
    run: async (target) => {
      for (const path of ['/api/openapi.json', '/api/docs']) assert.equal((await send(target, path)).status, 401, path)
      assert.match(String((await send(target, '/metrics')).headers['content-type']), /^text\/html/)
    },
  },
  {
    name: 'the audit log is what was sealed',
    needs: 'findAuditFault',
    run: async (target: Target) => assert.equal(await target.findAuditFault!(), null),
  },
]

/** The checks of signing in and out, in this order: a right sign-in takes back the failure before it. The last signs out. */
export const signInChecks: LiveCheck[] = [
  {
    name: 'a password is checked to its last character',
    needs: 'session',
    run: async (target) => {
      const password = target.password.slice(0, -1)
      const reply = await sendJson(target, 'POST', '/api/auth/login', { username: target.username, password })
      assert.equal(reply.status, 401)
    },
  },
  {
    name: 'each sign-in has another token',
    needs: 'session',
    run: async (target) => {
      const { cookie: first } = await useSession(target)
      const reply = await signIn(target, { cookie: first })
      replaceSignIn(target, reply)
      const second = readSession(reply)
      assert.notEqual(first, second)
      for (const cookie of [first, second]) assert.match(cookie, /=[\w-]{43}$/)
      assert.equal((await send(target, '/api/users', { headers: { cookie: first } })).status, 401)
      assert.equal((await send(target, '/api/users', { headers: { cookie: second } })).status, 200)
    },
  },
  {
    name: 'a session is over after signing out',
    needs: 'session',
    run: async (target) => {
      const { cookie } = await useSession(target)
      replaceSignIn(target, null)
      assert.equal((await send(target, '/api/auth/logout', { method: 'POST', headers: { cookie } })).status, 204)
      assert.equal((await send(target, '/api/users', { headers: { cookie } })).status, 401)
    },
  },
]
