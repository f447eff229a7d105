import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, inject, test } from 'vitest'
import { startServer } from '#test/server.ts'

const server = await startServer()
const { host, port, user, password } = inject('postgres')
const [database] = await server.sql('SELECT current_database() AS name')
const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database!.name}?host=${encodeURIComponent(host)}`
const folder = await mkdtemp(join(tmpdir(), 'back-office-import-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const lines = [
  '{"type":"member","id":"c-1","email":"c1@example.com"}',
  'nonsense',
  '{"type":"member","id":"c-2","email":"c2@example.com"}',
]
await writeFile(join(folder, 'members.ndjson'), lines.join('\n'))

async function run(args: string[], input = '') {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'import.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder, INIT_CWD: folder },
  })
  command.stdin.on('error', () => {}).end(input)
  const code = new Promise((resolve) => command.on('close', resolve))
  const [out, error] = await Promise.all([text(command.stdout), text(command.stderr)])
  return { code: await code, out, error }
}

test(
  'a file comes in beside the running server: refused lines are listed, and the same file again changes nothing (PRODUCT 4)',
  { timeout: 60_000 },
  async () => {
    expect(await run(['members.ndjson'])).toMatchObject({
      code: 0,
      out: '2 lines accepted: 2 created, 0 updated, 0 unchanged\n1 refused:\n  line 2: the line is not valid JSON\n',
    })
    expect((await run(['-'], lines.join('\r\n'))).out).toContain('0 created, 0 updated, 2 unchanged')
    expect(await server.sql(`SELECT actor_kind, actor_name FROM audit_log WHERE action = 'import'`)).toEqual(
      Array.from({ length: 2 }, () => ({ actor_kind: 'command', actor_name: 'npm run import' })),
    )
  },
)

test('what cannot be read ends with a plain line and exit code 1; help says how', { timeout: 60_000 }, async () => {
  const [missing, wrong, none, help] = await Promise.all([
    run(['missing.ndjson']),
    run([folder]),
    run([]),
    run(['--help']),
  ])
  expect(missing).toMatchObject({ code: 1, error: expect.stringContaining('there is no file') })
  expect(wrong).toMatchObject({ code: 1, error: expect.stringContaining('is a folder') })
  expect(none).toMatchObject({ code: 1, error: expect.stringContaining('Usage') })
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining('Exit code') })
})
