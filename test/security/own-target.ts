import type { AddressInfo } from 'node:net'
import type { Scope } from '#contract/scopes.ts'
import { describeFault } from '#server/features/audit-chain/service.ts'
import { verifyAudit } from '#server/features/audit-chain/verify.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { createAdmin } from '#server/features/auth/admins.ts'
import { password, type TestServer } from '#test/support/server.ts'
import type { Target } from './live/target.ts'

let keys = 0

/** A console of the tests as a target: it listens from then on. */
export async function openTarget({ app, system, services }: TestServer): Promise<Target> {
  await createAdmin(system, 'target', password)
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
