import type { AddressInfo } from 'node:net'
import type { Scope } from '#contract/scopes.ts'
import { describeFault } from '#server/features/audit-chain/service.ts'
import { verifyAudit } from '#server/features/audit-chain/verify.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { password, type TestServer } from '#test/support/server.ts'
import type { Target } from './live/target.ts'

let keys = 0

/** A console of the tests as a target: it listens from then on. */
export async function openTarget(server: TestServer): Promise<Target> {
  const { app, system, services } = server
  await server.addOperator('target', 'super_admin')
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`),
    username: 'target',
    password,
    makeKey: async (scopes) => {
      const name = `check-${(keys += 1)}`
      return (await createKey(system, { name, scopes: scopes as Scope[], callsPerSecond: maxCallsPerSecond })).key
    },
    findAuditFault: async () => {
      const { fault } = await verifyAudit(services)
      return fault && describeFault(fault)
    },
  }
}
