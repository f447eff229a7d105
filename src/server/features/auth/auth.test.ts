import { describe, expect, test } from 'vitest'
import { cookieHeader, createBrowserCalls } from '#test/support/browser-session.ts'
import { password, startServer } from '#test/support/server.ts'
import { createAdmin } from './admins.ts'

const server = await startServer()
const { signIn, whoAmI } = createBrowserCalls(server)

const actionsOf = (name: string) =>
  server.sql<{ action: string; actor_kind: string; ip_address: string }>(
    `SELECT l.action, l.actor_kind, l.ip_address FROM audit_log l JOIN admins a ON l.target_type = 'admin' AND l.target_id = a.id::text
     WHERE a.username = $1 ORDER BY l.id`,
    [name],
  )

describe('signing in', () => {
  test('a sign-in answers the admin, and its cookie opens the console (product 8.2, 8.3)', async () => {
    await createAdmin(server.system, 'Grace', password)
    const { reply, cookies } = await signIn('gRACE')
    expect(reply.statusCode).toBe(200)
    const { admin } = reply.json()
    expect(Object.keys(reply.json())).toEqual(['admin'])
    expect(Object.keys(admin).toSorted()).toEqual(['createdAt', 'id', 'lastSignInAt', 'username'])
    expect(admin).toMatchObject({ username: 'Grace', lastSignInAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) })
    expect(reply.body).not.toContain(cookies.sid)
    expect((await whoAmI(cookies)).json()).toEqual({ admin })
  })

  test('both cookies are HttpOnly, SameSite=Strict, site-wide and end with the browser', async () => {
    await createAdmin(server.system, 'hedy', password)
    const { reply } = await signIn('hedy')
    const [sid, device] = reply.cookies
    expect(sid).toMatchObject({ name: 'sid', path: '/', httpOnly: true, sameSite: 'Strict' })
    expect(sid).not.toHaveProperty('maxAge')
    expect(device).toMatchObject({ name: 'device', path: '/', httpOnly: true, sameSite: 'Strict', maxAge: 31_536_000 })
  })

  test('over https the cookies are Secure and bound to the host', async () => {
    const secure = await startServer({ PUBLIC_URL: 'https://console.example' })
    await createAdmin(secure.system, 'ada', password)
    const reply = await secure.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'ada', password },
    })
    expect(reply.cookies.map(({ name, secure: isSecure }) => [name, isSecure])).toEqual([
      ['__Host-sid', true],
      ['__Host-device', true],
    ])
    const plainName = await secure.app.inject({
      url: '/api/auth/user',
      headers: { cookie: `sid=${reply.cookies[0]?.value}` },
    })
    expect(plainName.statusCode).toBe(401)
  })

  test('the cookies of an address with a port end with it', async () => {
    const beside = await startServer({ PUBLIC_URL: 'http://localhost:4124' })
    await createAdmin(beside.system, 'ada', password)
    const body = { username: 'ada', password }
    const { cookies } = await beside.app.inject({ method: 'POST', url: '/api/auth/login', payload: body })
    expect(cookies.map(({ name }) => name)).toEqual(['sid-4124', 'device-4124'])
    const ask = (name: string) =>
      beside.app.inject({ url: '/api/auth/user', headers: { cookie: `${name}=${cookies[0]!.value}` } })
    expect([(await ask('sid-4124')).statusCode, (await ask('sid')).statusCode]).toEqual([200, 401])
  })

  test.each([
    { username: '', password: 'x' },
    { username: 'x', password: '' },
    { username: '', password: '' },
    { username: 'x' },
    { username: null, password: null },
    undefined,
  ])('%j is told to enter both, in these words (product 9.5)', async (body) => {
    const reply = await server.as(null)('POST', '/api/auth/login', body)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().message).toBe('Validation error: Please enter both username and password.')
  })

  test.each([
    ['password', { username: 'x', password: 7 }],
    ['username', { username: 'nul\0', password: 'x' }],
  ])('an unreadable %s is named', async (field, body) => {
    const reply = await server.as(null)('POST', '/api/auth/login', body)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'invalid', details: [expect.objectContaining({ field })] })
  })

  test('a wrong password and an unknown name answer the same 401 (product 8.5)', async () => {
    await createAdmin(server.system, 'ida', password)
    const wrong = await signIn('ida', { password: `${password} ` })
    const unknown = await signIn('nobody-of-this-name')
    for (const { reply, cookies } of [wrong, unknown]) {
      expect(reply.statusCode).toBe(401)
      expect(reply.json()).toEqual({ message: 'Invalid credentials', code: 'invalid_credentials' })
      expect(cookies).toEqual({})
    }
  })

  test('a name and a password are read in whichever form their letters are typed', async () => {
    const typed = { name: 'zoé', password: `${password} für Zoé` }
    await createAdmin(server.system, typed.name.normalize('NFD'), typed.password.normalize('NFD'))
    for (const [name, form] of [
      [' ZOÉ ', 'NFC'],
      [typed.name.normalize('NFD'), 'NFD'],
    ] as const)
      expect((await signIn(name, { password: typed.password.normalize(form) })).reply.statusCode, form).toBe(200)
    expect((await signIn('zoe', { password: typed.password })).reply.statusCode).toBe(401)
  })

  test('a hash of a password that was not composed opens the account as before', async () => {
    const { hash } = await import('@node-rs/argon2')
    const old = `${password} für Ida`.normalize('NFD')
    await createAdmin(server.system, 'ilse', password)
    await server.sql(`UPDATE admins SET password_hash = $1 WHERE username = 'ilse'`, [await hash(old)])
    expect((await signIn('ilse', { password: old })).reply.statusCode).toBe(200)
  })

  test('without a session the current user is 401, naming Unauthorized (product 9.2)', async () => {
    for (const cookies of [{}, { sid: 'guess' }, { sid: 'A'.repeat(43) }]) {
      const reply = await whoAmI(cookies)
      expect(reply.statusCode).toBe(401)
      expect(reply.json()).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('Unauthorized') })
    }
  })

  test('a password hashed with older parameters is hashed again', async () => {
    await createAdmin(server.system, 'joan', password)
    const { hash } = await import('@node-rs/argon2')
    await server.sql('UPDATE admins SET password_hash = $1 WHERE username = $2', [
      await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
      'joan',
    ])
    expect((await signIn('joan')).reply.statusCode).toBe(200)
    const [row] = await server.sql<{ password_hash: string }>('SELECT password_hash FROM admins WHERE username = $1', [
      'joan',
    ])
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect((await signIn('joan')).reply.statusCode).toBe(200)
  })

  test('sign-ins beyond the limit are 503 with Retry-After, the others are answered', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => signIn(`crowd-${at}`, { from: `10.9.0.${at}` })),
    )
    const statuses = replies.map(({ reply }) => reply.statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(34)
    const refused = replies.filter(({ reply }) => reply.statusCode === 503)
    expect(refused).toHaveLength(6)
    expect(refused[0]?.reply.json().code).toBe('overloaded')
    expect(Number(refused[0]?.reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('signing out', () => {
  test('204, the token is dead, the cookie is taken back and cached pages are dropped (product 2.2)', async () => {
    await createAdmin(server.system, 'sofia', password)
    const { cookies } = await signIn('sofia')
    const reply = await server.as(null)('POST', '/api/auth/logout', undefined, { cookie: cookieHeader(cookies) })
    expect(reply.statusCode).toBe(204)
    expect(reply.body).toBe('')
    expect(reply.headers['clear-site-data']).toBe('"cache"')
    expect(reply.cookies).toMatchObject([{ name: 'sid', value: '' }])
    expect((await whoAmI(cookies)).statusCode).toBe(401)
    expect((await actionsOf('sofia')).map(({ action }) => action)).toEqual(['create_admin', 'login', 'logout'])
  })

  test('without a session it is 204 all the same and leaves no audit row', async () => {
    const before = await server.sql(`SELECT FROM audit_log WHERE action = 'logout'`)
    for (const headers of [undefined, { cookie: 'sid=unknown' }])
      expect((await server.as(null)('POST', '/api/auth/logout', undefined, headers)).statusCode).toBe(204)
    expect(await server.sql(`SELECT FROM audit_log WHERE action = 'logout'`)).toHaveLength(before.length)
  })
})

const newAddresses = (username: string) =>
  server.sql<{ severity: string; ip_address: string }>(
    `SELECT severity, ip_address FROM security_events
     WHERE event_type = 'sign_in_new_address' AND details ->> 'username' = $1`,
    [username],
  )

describe('what is written down', () => {
  test('sign-in, failed sign-in and sign-out, with who and from where (product 6.9)', async () => {
    await createAdmin(server.system, 'tatiana', password)
    await signIn('tatiana', { password: 'wrong', from: '203.0.113.7' })
    const { cookies } = await signIn('tatiana', { from: '::ffff:203.0.113.7' })
    await server.as(null)('POST', '/api/auth/logout', undefined, { cookie: cookieHeader(cookies) })
    expect((await actionsOf('tatiana')).slice(1)).toEqual([
      { action: 'login_failed', actor_kind: 'system', ip_address: '203.0.113.7' },
      { action: 'login', actor_kind: 'admin', ip_address: '203.0.113.7' },
      { action: 'logout', actor_kind: 'admin', ip_address: '127.0.0.1' },
    ])
  })

  test('a sign-in from a new address is an event, except the very first (product 6.10)', async () => {
    await createAdmin(server.system, 'ursula', password)
    await signIn('ursula', { from: '198.51.100.1' })
    await signIn('ursula', { from: '198.51.100.1' })
    expect(await newAddresses('ursula')).toEqual([])
    await signIn('ursula', { from: '2001:db8:1:2:3::4' })
    // The same household, speaking from another address of its /64.
    await signIn('ursula', { from: '2001:db8:1:2:ffff::5' })
    expect(await newAddresses('ursula')).toEqual([{ severity: 'medium', ip_address: '2001:db8:1:2:3::4' }])
  })

  test('a name that does not exist is not written down: it may be a password', async () => {
    await signIn('MyVerySecretPassphrase')
    for (const table of ['audit_log', 'security_events', 'sign_in_throttles']) {
      const rows = await server.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)
      expect(rows.map(({ row }) => row).join('\n'), table).not.toMatch(/MyVerySecretPassphrase/i)
    }
  })

  test('PostgreSQL holds no usable token', async () => {
    await createAdmin(server.system, 'lise', password)
    const { cookies } = await signIn('lise')
    for (const table of ['sessions', 'known_devices', 'audit_log', 'security_events', 'admins', 'sign_in_throttles']) {
      const rows = await server.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)
      const text = rows.map(({ row }) => row).join('\n')
      const kept = [cookies.sid!, cookies.device!].flatMap((token) => [
        token,
        Buffer.from(token).toString('hex'),
        Buffer.from(token, 'base64url').toString('hex'),
      ])
      for (const secret of [...kept, password]) expect(text, table).not.toContain(secret)
      for (const [hex] of text.matchAll(/(?<=\\x)[0-9a-f]{64}/g))
        for (const form of [hex, Buffer.from(hex, 'hex').toString('base64url')])
          expect((await whoAmI({ sid: form })).statusCode).toBe(401)
    }
  })
})
