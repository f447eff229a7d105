import { describe, expect, onTestFinished, test } from 'vitest'
import type { Access } from '#contract/permissions.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { settle } from '#test/support/settle.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { addApp, forgetSteps, openBrowser } from '#test/support/factor-browser.ts'
import { liveChecks } from './live/checks.ts'
import { findLacks } from './live/lacks.ts'
import { NotChecked, type Target } from './live/target.ts'
import { openTarget } from './own-target.ts'

/** Which of the named checks find a fault. */
async function findFailed(target: Target, ...names: string[]): Promise<string[]> {
  const failed: string[] = []
  for (const { name, run } of liveChecks.filter((check) => names.includes(check.name)))
    await run(target).catch(() => failed.push(name))
  return failed
}

/** Changes who may make a call, until the test ends. */
function plantAccess(method: string, path: string, access: Access) {
  const { route } = allRoutes.find((each) => each.route.method === method && each.route.path === path)!
  const before = route.access
  Object.assign(route, { access })
  onTestFinished(() => void Object.assign(route, { access: before }))
}

const headers = 'every reply carries the security headers'
const sessions = 'every call of operators needs a session'
const scopes = 'each key does what its scopes allow'
const log = 'the audit log is what was sealed'
const defaults = 'no default account opens the console'
const foreign = 'changes that another site asks for are refused'

test('a sound console passes the checks that the faults below break', async () => {
  const target = await openTarget(await startServer())
  expect(await findFailed(target, headers, sessions, scopes, log)).toEqual([])
})

test('a missing header is found', async () => {
  const server = await startServer()
  server.app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/nothing')) reply.removeHeader('x-content-type-options')
  })
  expect(await findFailed(await openTarget(server), headers)).toEqual([headers])
})

test('a call without its guard is found', async () => {
  plantAccess('GET', '/api/orders', 'public')
  expect(await findFailed(await openTarget(await startServer()), sessions)).toEqual([sessions])
})

test('a call with a wrong scope is found', async () => {
  plantAccess('PUT', '/api/platform/v1/members/:id', 'platform:members.read')
  expect(await findFailed(await openTarget(await startServer()), scopes)).toEqual([scopes])
})

test('an audit row that was changed behind its seal is found', async () => {
  const server = await startServer()
  const target = await openTarget(server)
  await inTransaction(server.system, (tx) =>
    audit(tx, server.system, { action: 'import', target: { type: 'user', id: 'm-1' }, details: {} }),
  )
  await settle(server)
  await sealAudit(server.system, new AbortController().signal)
  expect(await findFailed(target, log)).toEqual([])
  await server.sql(`SET LOCAL session_replication_role = replica; UPDATE audit_log SET actor_name = 'somebody else'`)
  expect(await findFailed(target, log)).toEqual([log])
})

/** Gives an account a password that the policy refuses. */
async function plantPassword(server: TestServer, username: string, plain: string) {
  await server.addOperator(username, 'viewer')
  await server.sql('UPDATE admins SET password_hash = $2 WHERE username = $1', [username, await hashPassword(plain)])
}
const runOne = (name: string, target: Target) => liveChecks.find((check) => check.name === name)!.run(target)

describe('a default account', () => {
  test('one that opens the console is found', async () => {
    const server = await startServer()
    await plantPassword(server, 'admin', 'admin')
    expect(await findFailed(await openTarget(server), defaults)).toEqual([defaults])
  })

  test('each name is tried once', async () => {
    const server = await startServer()
    await server.addOperator('admin', 'viewer')
    await runOne(defaults, await openTarget(server))
    const tries = await server.sql(`SELECT details->>'username' AS name FROM audit_log WHERE action = 'login_failed'`)
    expect(tries).toEqual([{ name: 'admin' }, { name: null }])
  })

  test('a second run within a day tries none and says so', async () => {
    const server = await startServer()
    let last: Date | null = null
    const keep = { readLast: () => last, keep: (at: Date) => (last = at) }
    const target = { ...(await openTarget(server)), defaultAccounts: keep }
    expect(await runOne(defaults, target)).toBeUndefined()
    expect(await runOne(defaults, target)).toContain('tried once a day')
    const tries = await server.sql(`SELECT FROM audit_log WHERE action = 'login_failed'`)
    expect(tries).toHaveLength(2)
  })

  test('a lock tells neither that it opens nor that it does not', async () => {
    const server = await startServer()
    await server.addOperator('admin', 'viewer')
    const target = await openTarget(server)
    await server.sql(`INSERT INTO sign_in_throttles (key, failures, locked_until)
      SELECT 'account:#' || id || ':from:127.0.0.1', 9, now() + interval '1 hour' FROM admins WHERE username = 'admin'`)
    await expect(runOne(defaults, target)).rejects.toBeInstanceOf(NotChecked)
  })
})

test('a guard that lets other sites in is found', async () => {
  const server = await startServer()
  server.app.server.prependListener('request', ({ headers }) => {
    if (headers.origin === 'null') delete headers.origin
  })
  expect(await findFailed(await openTarget(server), foreign)).toEqual([foreign])
})

describe('where second factors are required', async () => {
  const server = await startServer({ AUTH_MFA: 'required' })
  const target = await openTarget(server)

  test('an operator without one lacks a session, and no check fails', async () => {
    const lacks = await findLacks(target)
    expect(lacks).toEqual({
      session: expect.stringContaining('VERIFY_TOTP_SECRET: this console requires second factors'),
    })
    const others = liveChecks.filter(({ needs }) => needs !== 'session').map(({ name }) => name)
    expect(await findFailed(target, ...others)).toEqual([])
  })

  test('an operator with an authenticator app passes every check', async () => {
    const browser = openBrowser(server)
    await browser.signIn('target')
    const { secret } = await addApp(browser)
    await forgetSteps(server)
    expect(await findLacks({ ...target })).toEqual({ session: expect.stringContaining('target has a second factor') })
    const whole = { ...target, totpSecret: secret }
    expect(await findLacks(whole)).toEqual({})
    expect(await findFailed(whole, ...liveChecks.map(({ name }) => name))).toEqual([])
  })
})
