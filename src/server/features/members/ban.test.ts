import { expect, test } from 'vitest'
import { makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const ban = (id: string, body: unknown, headers?: Record<string, string>) =>
  ada('POST', `/api/users/${id}/ban`, body, headers)
const trail = async (id: string) => ({
  audit: await server.sql(
    "SELECT action, actor_name, audit_details(id, details) AS details, ip_address FROM audit_log WHERE target_type = 'user' AND target_id = $1 ORDER BY id",
    [id],
  ),
  events: await server.sql(`SELECT type, entity_type, payload FROM platform_events WHERE entity_id = $1 ORDER BY id`, [
    id,
  ]),
})

test('Ban: an active member becomes banned with a reason (product 7.3)', async () => {
  const { id } = await makeMember(server)
  const reply = await ban(id, { reason: '  Stolen card ' })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(reply.json()).toMatchObject({
    message: 'User has been banned successfully',
    user: { id, kycBanned: true, bannedReason: 'Stolen card', version: 2 },
  })
  const { banInfo } = (await ada('GET', `/api/users/${id}`)).json()
  expect(banInfo).toEqual({ reason: 'Stolen card', bannedBy: 'ada', bannedAt: expect.stringMatching(/Z$/) })
  expect(await trail(id)).toEqual({
    audit: [
      {
        action: 'ban_user',
        actor_name: 'ada',
        ip_address: '127.0.0.1',
        details: {
          reason: 'Stolen card',
          before: { kycBanned: false, bannedReason: null },
          after: { kycBanned: true, bannedReason: 'Stolen card' },
        },
      },
    ],
    events: [
      {
        type: 'member.banned',
        entity_type: 'member',
        payload: { memberId: id, membershipId: null, reason: 'Stolen card' },
      },
    ],
  })
})

test('Unban returns to active (product 7.3)', async () => {
  const { id } = await makeMember(server, { banned: true })
  const reply = await grace('POST', `/api/users/${id}/unban`)
  expect(reply.json()).toMatchObject({
    message: 'User has been unbanned successfully',
    user: { kycBanned: false, bannedReason: null, version: 2 },
  })
  expect((await ada('GET', `/api/users/${id}`)).json().banInfo).toBeNull()
  const { audit, events } = await trail(id)
  expect(audit).toMatchObject([
    { action: 'unban_user', actor_name: 'grace', details: { before: { kycBanned: true, bannedReason: 'Fraud' } } },
  ])
  expect(events).toMatchObject([{ type: 'member.unbanned' }])
})

test.each([undefined, {}, { reason: '' }, { reason: '   ' }, { reason: null }])(
  'ban with %j is 400 "Ban reason is required" and changes nothing (product 9.5)',
  async (body) => {
    const { id } = await makeMember(server)
    const reply = await ban(id, body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'Ban reason is required'])
    expect(await server.sql('SELECT banned, version FROM members WHERE id = $1', [id])).toEqual([
      { banned: false, version: 1 },
    ])
    expect(await trail(id)).toEqual({ audit: [], events: [] })
  },
)

test('a repeated ban or unban is 409 and names the earlier one (product 7.3)', async () => {
  const { id } = await makeMember(server)
  const never = await ada('POST', `/api/users/${id}/unban`)
  expect([never.statusCode, never.json().message]).toEqual([409, 'This user is not banned'])
  await ban(id, { reason: 'Fraud' })
  const again = await grace('POST', `/api/users/${id}/ban`, { reason: 'Other' })
  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({
    code: 'already_banned',
    message: expect.stringMatching(
      /^This user is already banned \(set by ada on [A-Z][a-z]{2} \d\d, 20\d\d at \d\d:\d\d UTC\)$/,
    ),
  })
  await grace('POST', `/api/users/${id}/unban`)
  const active = await ada('POST', `/api/users/${id}/unban`)
  expect(active.json().message).toMatch(/^This user is not banned \(set by grace on [A-Z][a-z]{2} \d\d, 20/)
  const { audit, events } = await trail(id)
  expect(audit).toHaveLength(2)
  expect(events.map((event) => event.type)).toEqual(['member.banned', 'member.unbanned'])
})

test('a stale If-Match is 409 and says how the member stands now (product 8.4)', async () => {
  const { id } = await makeMember(server, { version: 7, kycStatus: 'under_review' })
  const stale = await ban(id, { reason: 'Fraud' }, { 'if-match': '"6"' })
  expect(stale.statusCode).toBe(409)
  expect(stale.json()).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/changed meanwhile.*active.*under_review/),
    details: { version: 7 },
  })
  expect((await ban(id, { reason: 'Fraud' }, { 'if-match': '"7"' })).statusCode).toBe(200)
  expect((await ada('POST', `/api/users/${id}/unban`, undefined, { 'if-match': '"7"' })).json().code).toBe('stale')
  expect((await ada('POST', `/api/users/${id}/unban`, undefined, { 'if-match': 'abc' })).statusCode).toBe(400)
  expect((await ada('POST', `/api/users/${id}/unban`, undefined, { 'if-match': '8' })).statusCode).toBe(200)
})

test('of 20 bans at once exactly one wins, with one audit row and one event', async () => {
  for (const headers of [undefined, { 'if-match': '"1"' }]) {
    const { id } = await makeMember(server)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? ada : grace)('POST', `/api/users/${id}/ban`, { reason: `Reason ${index}` }, headers),
      ),
    )
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.statusCode === 409)).toHaveLength(19)
    const { audit, events } = await trail(id)
    expect([audit.length, events.length]).toEqual([1, 1])
    const winner = replies.find((reply) => reply.statusCode === 200)!.json().user
    expect(await server.sql('SELECT banned_reason, version FROM members WHERE id = $1', [id])).toEqual([
      { banned_reason: winner.bannedReason, version: 2 },
    ])
  }
})

test('a ban that cannot be recorded does not happen', async () => {
  const { id } = await makeMember(server)
  await server.sql('ALTER TABLE messages ADD CONSTRAINT refuse_all CHECK (false) NOT VALID')
  const reply = await ban(id, { reason: 'Fraud' })
  await server.sql('ALTER TABLE messages DROP CONSTRAINT refuse_all')
  expect(reply.statusCode).toBe(500)
  expect(reply.json().message).not.toContain('refuse_all')
  expect(await server.sql('SELECT banned FROM members WHERE id = $1', [id])).toEqual([{ banned: false }])
  expect(await trail(id)).toEqual({ audit: [], events: [] })
})

test('an unknown member is 404', async () => {
  expect((await ban('nobody', { reason: 'Fraud' })).json()).toMatchObject({
    code: 'not_found',
    message: 'User not found',
  })
  expect((await ada('POST', '/api/users/nobody/unban')).statusCode).toBe(404)
})

test('a body that is not what the call takes is refused and changes nothing', async () => {
  const { id } = await makeMember(server)
  const json = { 'content-type': 'application/json' }
  const refused = async (body: unknown, headers: Record<string, string> = {}) => {
    const reply = await ban(id, body, headers)
    return [reply.statusCode, reply.json().message] as const
  }
  expect(await refused({ reason: 7 })).toEqual([400, expect.stringContaining('reason')])
  expect(await refused({ reason: ['x'] })).toEqual([400, expect.stringContaining('reason')])
  expect(await refused({ reason: 'a\0b' })).toEqual([400, expect.stringContaining('NUL')])
  expect(await refused({ reason: 'x'.repeat(1001) })).toEqual([400, expect.stringContaining('1000')])
  expect(await refused({ reason: 'x', isAdmin: true })).toEqual([400, expect.stringContaining('isAdmin')])
  expect(await refused([])).toEqual([400, expect.any(String)])
  expect(await refused('{"reason": ', json)).toEqual([400, 'The body is not valid JSON'])
  expect(await refused('reason=x', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
    415,
    'The body must be application/json',
  ])
  expect(await refused({ reason: 'x'.repeat(70_000) })).toEqual([413, expect.any(String)])
  expect(await server.sql('SELECT banned, version FROM members WHERE id = $1', [id])).toEqual([
    { banned: false, version: 1 },
  ])
})
