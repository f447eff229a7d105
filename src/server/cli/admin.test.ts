import { describe, expect, test } from 'vitest'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const admin = await createAdminCommand(server)
const signIn = async (username: string, given: string) => {
  const reply = await server.as(null)('POST', '/api/auth/login', { username, password: given })
  return { status: reply.statusCode, cookie: `sid=${reply.cookies[0]?.value}` }
}
const isSignedIn = async (cookie: string) =>
  (await server.as(null)('GET', '/api/auth/user', undefined, { cookie })).statusCode === 200
const lastAudit = async () =>
  (
    await server.sql(
      'SELECT action, actor_kind, actor_name, target_type, details FROM audit_log ORDER BY id DESC LIMIT 1',
    )
  )[0]

describe('npm run admin', () => {
  test('create makes an admin with the password that comes in, while the server runs (product 2.4)', async () => {
    const { code, out } = await admin(['create', 'Grace'], { input: `${password}\r\n` })
    expect({ code, out }).toEqual({ code: 0, out: 'Super Admin Grace can sign in now.\n' })
    expect((await signIn('grace', password)).status).toBe(200)
    const [row] = await server.sql(`SELECT action, actor_kind, actor_name FROM audit_log WHERE action = 'create_admin'`)
    expect(row).toEqual({
      action: 'create_admin',
      actor_kind: 'command',
      actor_name: expect.stringMatching(/^npm run admin/),
    })
  })

  test('create --generate shows a password once that works', async () => {
    const { code, out } = await admin(['create', 'hedy', '--generate'])
    expect(code).toBe(0)
    const made = /^Password: (\S{24})$/m.exec(out)?.[1]
    expect((await signIn('hedy', made!)).status).toBe(200)
  })

  test('set-password ends every session of the admin and lets only the new password in', async () => {
    const { cookie } = await signIn('grace', password)
    const next = 'another fine long sentence'
    const { code, out } = await admin(['set-password', 'GRACE'], { input: next })
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'The password of GRACE is set; 2 sessions ended.',
        'If sign-in stays closed because others go on failing: npm run admin -- sign-in-link GRACE\n',
      ].join('\n'),
    })
    expect(await lastAudit()).toMatchObject({
      action: 'set_password',
      actor_kind: 'command',
      target_type: 'admin',
      details: { username: 'Grace', endedSessions: [expect.any(String), expect.any(String)] },
    })
    expect(await isSignedIn(cookie)).toBe(false)
    expect((await signIn('grace', password)).status).toBe(401)
    expect((await signIn('grace', next)).status).toBe(200)
  })

  test('list and sessions show admins and their sessions without control characters', async () => {
    await server.sql(`UPDATE sessions SET user_agent = E'Browser\\x1b[2J\\nfake line'`)
    const [list, all, one] = await Promise.all([admin(['list']), admin(['sessions']), admin(['sessions', 'hedy'])])
    expect(list.out).toMatch(
      /^username +role +state +created +last sign-in +sessions\nGrace +Super Admin +active .* 1\nhedy .* 1\n$/,
    )
    expect(all.out.split('\n')).toHaveLength(4)
    expect(one.out).toMatch(/\d+ +hedy .* 127\.0\.0\.1 +Browser\?\[2J\?fake line\n$/)
  })

  test('end-session ends one session by its id, or all of an admin', async () => {
    const first = await signIn('hedy', 'not it').then(() =>
      server.sql<{ id: string }>(`SELECT id FROM sessions ORDER BY id LIMIT 1`),
    )
    const one = await admin(['end-session', first[0]!.id])
    expect({ code: one.code, out: one.out }).toEqual({ code: 0, out: 'The session of hedy is ended.\n' })
    expect(await lastAudit()).toMatchObject({
      action: 'end_session',
      actor_kind: 'command',
      target_type: 'session',
      details: { username: 'hedy' },
    })
    const all = await admin(['end-session', '--all', 'grace'])
    expect({ code: all.code, out: all.out }).toEqual({ code: 0, out: '1 session of grace ended.\n' })
    expect(await server.sql('SELECT FROM sessions')).toHaveLength(0)
    expect((await admin(['sessions'])).out).toBe('Nobody is signed in.\n')
  })

  test('end-session --everyone ends two thousand sessions at once', async () => {
    // Ids as long as those of an old console: a notification of all of them is refused.
    await server.sql(
      `INSERT INTO sessions (id, token_hash, admin_id, ip_address, user_agent) OVERRIDING SYSTEM VALUE
       SELECT 10000000 + n, sha256(n::text::bytea), (SELECT min(id) FROM admins), '127.0.0.1', 'Browser'
       FROM generate_series(1, 2000) n`,
    )
    const { code, out } = await admin(['end-session', '--everyone'])
    expect({ code, out }).toEqual({ code: 0, out: '2,000 sessions of all admins ended.\n' })
    expect(await server.sql('SELECT FROM sessions')).toHaveLength(0)
  })

  test('what cannot be done is one line and exit code 1, and nothing changes', async () => {
    const before = await server.sql('SELECT * FROM admins ORDER BY id')
    const refusals = await Promise.all([
      admin(['create', 'grace'], { input: password }),
      admin(['create', 'ida'], { input: 'too short' }),
      admin(['create', 'ida'], { input: 'passwordpassword' }),
      admin(['create', 'ida'], { input: '' }),
      admin(['create', ' ida '], { input: password }),
      admin(['set-password', 'nobody'], { input: password }),
      admin(['sign-in-link', 'nobody']),
      admin(['sessions', 'nobody']),
      admin(['end-session', '987654321']),
      admin(['list'], { environment: { PORT: 'x' } }),
      admin(['list'], { environment: { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/nothing' } }),
    ])
    expect(refusals.map(({ code, out }) => [code, out])).toEqual(refusals.map(() => [1, '']))
    expect(refusals.map(({ error }) => error.trim())).toEqual([
      'An admin named grace exists already',
      'password: must have 15 to 128 characters',
      expect.stringContaining('password: is too easy to guess'),
      'No password came in; pipe one in, or let one be made with --generate',
      expect.stringContaining('username: must not begin'),
      'No admin is named nobody',
      'No admin is named nobody',
      'No admin is named nobody',
      'There is no session 987654321',
      expect.stringContaining('PORT must be'),
      expect.stringContaining('DATABASE_URL leads to 127.0.0.1:1, where no PostgreSQL can be reached'),
    ])
    expect(await server.sql('SELECT * FROM admins ORDER BY id')).toEqual(before)
  })

  test('control characters of its own words are shown as ?, never obeyed', async () => {
    const { code, error } = await admin(['set-password', 'ada\u001b[2J\u202e'], { input: password })
    expect({ code, error }).toEqual({ code: 1, error: 'No admin is named ada?[2J?\n' })
  })

  test('what is asked wrongly shows how to ask, with exit code 2, and starts nothing', async () => {
    const environment = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/nothing' }
    const wrong = await Promise.all(
      [
        ['dance'],
        ['create'],
        ['create', 'a', 'b'],
        ['list', '--generate'],
        ['end-session', 'x'],
        ['list', '--nonsense'],
        ['--nonsense'],
        ['events', 'dance'],
        ['list', '--all'],
        ['create', 'a', '--all'],
      ].map((args) => admin(args, { environment })),
    )
    for (const { code, error } of wrong) {
      expect(code).toBe(2)
      expect(error).toContain('Usage: npm run admin -- <command>')
    }
    for (const args of [[], ['help'], ['--help'], ['create', '-h'], ['key', '--help']]) {
      const { code, out } = await admin(args, { environment })
      expect({ code, start: out.split('\n')[0] }).toEqual({ code: 0, start: 'Usage: npm run admin -- <command>' })
    }
  })
})
