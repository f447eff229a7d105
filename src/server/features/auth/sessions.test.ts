import { expect, test } from 'vitest'
import { passiveHeader } from '#contract/live.ts'
import { type Cookies, createBrowserCalls } from '#test/support/browser-session.ts'
import { password, startServer } from '#test/support/server.ts'
import { createAdmin, setPassword } from './admins.ts'

const server = await startServer()
const { signIn, whoAmI } = createBrowserCalls(server)

/** Sets columns of the admin's one session. */
const setTimes = (username: string, times: string) =>
  server.sql(`UPDATE sessions SET ${times} WHERE admin_id = (SELECT id FROM admins WHERE username = $1)`, [username])
const idleSeconds = async (username: string) => {
  const [row] = await server.sql<{ age: number }>(
    `SELECT extract(epoch FROM now() - last_active_at)::float8 AS age FROM sessions
     WHERE admin_id = (SELECT id FROM admins WHERE username = $1)`,
    [username],
  )
  return row?.age
}

test('a session set before sign-in is replaced, and the old token opens nothing', async () => {
  await createAdmin(server.system, 'katherine', password)
  const first = await signIn('katherine')
  const second = await signIn('katherine', { cookies: first.cookies })
  expect(second.cookies.sid).not.toBe(first.cookies.sid)
  expect((await whoAmI(first.cookies)).statusCode).toBe(401)
  expect((await whoAmI(second.cookies)).statusCode).toBe(200)
  const planted = await signIn('katherine', { cookies: { sid: 'planted-by-a-stranger' } })
  expect(planted.cookies.sid).toMatch(/^[\w-]{43}$/)
  expect((await whoAmI({ sid: 'planted-by-a-stranger' })).statusCode).toBe(401)
})

test('a session ends after 30 minutes without use (product 2.2)', async () => {
  await createAdmin(server.system, 'maria', password)
  const { cookies } = await signIn('maria')
  await setTimes('maria', `last_active_at = now() - interval '29 minutes'`)
  expect((await whoAmI(cookies)).statusCode).toBe(200)
  expect(await idleSeconds('maria')).toBeLessThan(60)
  await setTimes('maria', `last_active_at = now() - interval '31 minutes'`)
  expect((await whoAmI(cookies)).statusCode).toBe(401)
})

test('a session ends 12 hours after sign-in, however much it is used (product 2.2)', async () => {
  await createAdmin(server.system, 'noether', password)
  const { cookies } = await signIn('noether')
  await setTimes('noether', `created_at = now() - interval '11 hours 59 minutes', last_active_at = now()`)
  expect((await whoAmI(cookies)).statusCode).toBe(200)
  await setTimes('noether', `created_at = now() - interval '12 hours 1 second', last_active_at = now()`)
  expect((await whoAmI(cookies)).statusCode).toBe(401)
})

test('a passive call opens but never extends a session (product 2.2)', async () => {
  await createAdmin(server.system, 'olga', password)
  const { cookies } = await signIn('olga')
  await setTimes('olga', `last_active_at = now() - interval '20 minutes'`)
  expect((await whoAmI(cookies, { [passiveHeader]: '1' })).statusCode).toBe(200)
  expect(await idleSeconds('olga')).toBeGreaterThan(1199)
})

test('every answer to an admin says in how many seconds the session ends', async () => {
  await createAdmin(server.system, 'clock', password)
  const { cookies } = await signIn('clock')
  await setTimes('clock', `last_active_at = now() - interval '28 minutes', created_at = now() - interval '11 hours'`)
  const left = async (headers?: Record<string, string>) => {
    const { headers: given } = await whoAmI(cookies, headers)
    const [, idle, absolute] = /^idle=(\d+), absolute=(\d+), now=\d+$/.exec(String(given['x-session-ends'])) ?? []
    return { idle: Number(idle), absolute: Number(absolute) }
  }
  const passive = await left({ [passiveHeader]: '1' })
  expect(passive.idle).toBeGreaterThan(60)
  expect(passive.idle).toBeLessThanOrEqual(120)
  expect(passive.absolute).toBeLessThanOrEqual(3600)
  expect((await left()).idle).toBe(1800)
  expect((await left({ [passiveHeader]: '1' })).idle).toBeGreaterThan(1700)
})

test('the sixth session of an admin ends the oldest, and no other admin notices', async () => {
  await createAdmin(server.system, 'pauline', password)
  await createAdmin(server.system, 'quinn', password)
  const other = await signIn('quinn')
  const all: Cookies[] = []
  for (let at = 0; at < 6; at++) all.push((await signIn('pauline')).cookies)
  const statuses = await Promise.all(all.map(async (cookies) => (await whoAmI(cookies)).statusCode))
  expect(statuses).toEqual([401, 200, 200, 200, 200, 200])
  expect((await whoAmI(other.cookies)).statusCode).toBe(200)
})

test('a new password ends every session, and the old password opens nothing', async () => {
  await createAdmin(server.system, 'rosalind', password)
  const { cookies } = await signIn('rosalind')
  const next = 'another fine long sentence'
  expect(await setPassword(server.system, 'ROSALIND', next)).toEqual({ endedSessions: 1 })
  expect((await whoAmI(cookies)).statusCode).toBe(401)
  expect((await signIn('rosalind')).reply.statusCode).toBe(401)
  expect((await signIn('rosalind', { password: next })).reply.statusCode).toBe(200)
})
