import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { endLeases } from '#test/support/leases.ts'
import { startServer } from '#test/support/server.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const [database] = await server.sql<{ name: string }>('SELECT current_database() AS name')
const url = buildDatabaseUrl(findCluster().postgres, database!.name)
const folder = await mkdtemp(join(tmpdir(), 'back-office-import-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const lines = [
  '{"type":"member","id":"c-1","email":"c1@example.com"}',
  'nonsense',
  '{"type":"member","id":"c-2","email":"c2@example.com"}',
]
await writeFile(join(folder, 'members.ndjson'), lines.join('\n'))

function start(args: string[]) {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'import.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: folder, INIT_CWD: folder },
  })
  command.stdin.on('error', () => {})
  return command
}

async function run(args: string[], input: string | Buffer = '') {
  const command = start(args)
  command.stdin.end(input)
  const code = new Promise((resolve) => command.on('close', resolve))
  const [out, error] = await Promise.all([text(command.stdout), text(command.stderr)])
  return { code: await code, out, error }
}

test('an imported file is idempotent and lists its refused lines (product 10.3)', async () => {
  expect(await run(['members.ndjson'])).toMatchObject({
    code: 0,
    out: '2 lines accepted: 2 created, 0 updated, 0 unchanged\n1 refused:\n  line 2: the line is not valid JSON\n',
  })
  expect((await run(['-'], lines.join('\r\n'))).out).toContain('0 created, 0 updated, 2 unchanged')
  expect(await server.sql(`SELECT actor_kind, actor_name FROM audit_log WHERE action = 'import'`)).toEqual(
    Array.from({ length: 4 }, () => ({ actor_kind: 'command', actor_name: 'npm run import' })),
  )
})

test('control characters of the file are replaced, never obeyed', async () => {
  const hostile = '{"type":"member","id":"c-9","email":"c9@example.com","\\u001b]0;owned\\u0007\\u009b2J\\u202e":1}'
  const { out } = await run(['-'], hostile)
  expect(out).toContain('\uFFFD]0;owned\uFFFD\uFFFD2J\uFFFD')
  expect(/[\p{Cc}\p{Cf}]/u.test(out.replaceAll('\n', ''))).toBe(false)
})

test('a packed file is imported as it is (product 10.3)', async () => {
  const packed = gzipSync(lines.join('\n').replaceAll('c-', 'z-').replaceAll('"c', '"z'))
  await writeFile(join(folder, 'members.ndjson.gz'), packed)
  const [dry, none] = await Promise.all([run(['--dry-run', 'members.ndjson.gz']), run(['-'], packed)])
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^A dry run: nothing was stored\.\n2 lines accepted: 2 created/),
  })
  expect(none.out).toContain('0 lines accepted')
  expect(await server.sql(`SELECT FROM members WHERE id LIKE 'z-%'`)).toEqual([])
  expect((await run(['--gzip', '-'], packed)).out).toContain('2 created')
})

test('a batch whose import was killed continues and reports the whole (product 10.3)', async () => {
  const many = Array.from({ length: 1700 }, (_, n) => `{"type":"member","id":"k-${n}","email":"k${n}@example.com"}\n`)
  const command = start(['--batch', 'moving', '-'])
  const ended = once(command, 'exit')
  command.stdin.write(many.slice(0, 1250).join(''))
  const settled = async () => server.sql(`SELECT settled_lines AS n FROM import_batches WHERE key = 'moving'`)
  await expect.poll(settled).toEqual([{ n: 1000 }])
  command.kill('SIGKILL')
  await ended
  await endLeases(server)
  await writeFile(join(folder, 'many.ndjson'), many.join(''))
  const again = () => run(['--batch', 'moving', 'many.ndjson'])
  // PostgreSQL may need a moment to notice that the killed command is gone.
  await expect
    .poll(async () => (await again()).out)
    .toContain('1,700 lines accepted: 1,700 created, 0 updated, 0 unchanged\nnone refused')
  expect(await server.sql(`SELECT count(*)::int AS n FROM members WHERE id LIKE 'k-%'`)).toEqual([{ n: 1700 }])
})

test('an unreadable file ends with one plain line and exit code 1', async () => {
  const [missing, wrong, none, batch, help] = await Promise.all([
    run(['missing.ndjson']),
    run([folder]),
    run([]),
    run(['--batch', 'bad id', 'members.ndjson']),
    run(['--help']),
  ])
  expect(missing).toMatchObject({ code: 1, error: expect.stringContaining('there is no file') })
  expect(wrong).toMatchObject({ code: 1, error: expect.stringContaining('is a folder') })
  expect(none).toMatchObject({ code: 1, error: expect.stringContaining('Usage') })
  expect(batch).toMatchObject({ code: 1, error: expect.stringContaining('--batch must be') })
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining('Exit code') })
})
