import { expect, onTestFinished, test } from 'vitest'
import type { Access } from '#contract/permissions.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { settle } from '#test/support/settle.ts'
import { startServer } from '#test/support/server.ts'
import { liveChecks } from './live/checks.ts'
import type { Target } from './live/target.ts'
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
