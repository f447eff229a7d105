import { expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { connectPool } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { createLog } from '#server/process/log.ts'
import { sendBytes } from './support/raw-calls.ts'
import { startServer } from './support/server.ts'

const server = await startServer()

test('an answer and its log lines bear one request id, which no caller chooses', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const app = await buildApp({ ...server.services, log })
  const given = await app.inject({ url: '/api/users', headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
  const id = String(given.headers['x-request-id'])
  expect(id).not.toBe('mine')
  expect(lines.filter((line) => line.includes(id)).length).toBeGreaterThan(1)
  const heard = /x-request-id: (\S+)/.exec(await sendBytes(app, 'nonsense\r\n\r\n'))![1]!
  expect(lines.some((line) => line.includes(heard))).toBe(true)
  await app.close()
})

test('a connection to the database that breaks is one short line', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const database = connectPool(server.connection, (err) => log.warn({ err }, 'it broke'))
  const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await server.sql('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
  await vi.waitUntil(() => lines.length > 0)
  expect(lines[0]!.length).toBeLessThan(2000)
  expect(lines[0]).toContain('"stack":')
  await database.close()
})

test('the log holds no token, no search, and the stack of a fault but not of a refusal', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const app = await buildApp({ ...server.services, log })
  const cause = new Error('the root of it')
  app.get('/fault', () => Promise.reject(new Error('it broke', { cause })))
  app.get('/stop', () => Promise.reject(new AppError('internal', 'It stopped', { cause })))
  app.get('/refusal', () => Promise.reject(new AppError('chain_disabled', 'No chain is configured')))
  const token = 'view-token-of-a-document'
  for (const url of [
    `/api/documents/view/${token}`,
    `/%61pi/documents/proxy/${token}`,
    `http://localhost/api/documents/view/${token}`,
    `/api/documents/other/${token}`,
    `/api/documents/view/%ff${token}`,
    `/api/users?search=${token}`,
    '/fault',
    '/stop',
    '/refusal',
  ])
    await app.inject(url)
  await app.close()
  const all = lines.join('')
  expect(all).not.toContain(token)
  expect(all).toContain('"route":"/api/documents/view/:token"')
  const problems = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  const failed = { level: 50, err: { stack: expect.stringContaining('the root of it') } }
  expect(problems).toMatchObject([failed, failed, { level: 40, code: 'chain_disabled' }])
  expect(problems[2]).not.toHaveProperty('err')
})

test('no text of a caller begins a line of the log, or moves a terminal', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const app = await buildApp({ ...server.services, log })
  const hostile = 'a\r\n{"level":60,"msg":"forged"}\u001b[2J\u009b2J\u2028'
  const payload = { username: hostile, password: hostile }
  await app.inject({ method: 'POST', url: '/api/auth/login', payload })
  await app.inject({ url: `/api/users/${encodeURIComponent(hostile)}?search=${encodeURIComponent(hostile)}` })
  await app.inject({ url: '/api/nothing', headers: { 'x-request-id': 'forged', 'user-agent': 'forged \u009b2J' } })
  await app.close()
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' })
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u2028\u2029]|forged/u)
  }
})
