import { expect, test } from 'vitest'
import { eraseMember } from '#server/features/erasure/service.ts'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const [ada, vera] = [server.as('ada'), server.as('vera')]
for (const call of [ada, vera]) expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { withRule, readRequest, approve, decline, read } = createApprovalCaller(server, ada)

test('an erased member is in no request for approval any more (product 7.13)', async () => {
  const { id } = await makeMember(server, { legalFirstName: 'Anabela', legalLastName: 'Limaquist' })
  const ban = () => ada('POST', `/api/users/${id}/ban`, { reason: 'Limaquist is on a list' })
  await withRule('ban_user', async () => {
    const declined = readRequest(await ban())
    expect((await decline(vera, declined, 'Limaquist has proven it')).statusCode).toBe(200)
    const waiting = readRequest(await ban())
    const count = async () =>
      (
        await server.sql(
          `SELECT 1 FROM approvals a WHERE to_jsonb(a)::text LIKE '%Limaquist%'
            UNION ALL SELECT 1 FROM audit_log l WHERE to_jsonb(l)::text LIKE '%Limaquist%'
            UNION ALL SELECT 1 FROM audit_personal p WHERE to_jsonb(p)::text LIKE '%Limaquist%'`,
        )
      ).length
    expect(await count()).toBeGreaterThan(3)
    await eraseMember(server.system, id)
    expect(await count()).toBe(0)
    expect(await read(ada, declined)).toMatchObject({
      state: 'declined',
      target: { id, name: 'Erased' },
      changes: [],
      comment: null,
    })
    expect(await read(vera, waiting)).toMatchObject({ state: 'expired', canDecide: false })
    expect((await approve(vera, waiting)).json()).toMatchObject({ code: 'approval_closed' })
  })
})
