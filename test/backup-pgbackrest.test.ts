import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { readConfig } from '#server/core/config.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { buildEnvironment, makeFolder, withConsole } from './support/backups.ts'
import { findSystemPostgres, startSystemPostgres } from './support/system-postgres.ts'

const bin = findSystemPostgres()
const isInstalled = spawnSync('pgbackrest', ['version']).status === 0
const never = new AbortController().signal
const actor = { kind: 'command', name: 'tests' } as const

const chapter = readFileSync(join(import.meta.dirname, '..', 'docs/operating.md'), 'utf8')
  .split('\n### ')
  .find((text) => text.startsWith('To an instant with a PostgreSQL of your own'))!
const blocks = [...chapter.matchAll(/```(?:ini|sh)\n([^]*?)```/g)].map(([, text]) => text!)

/** The words of a line of a shell. */
const split = (line: string) => [...line.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''))
/** The arguments of each call of pgbackrest in a block. */
const readCalls = (block: string) =>
  block.split('\n').flatMap((line) => (line.startsWith('pgbackrest ') ? [split(line).slice(1)] : []))

describe.skipIf(bin === undefined || !isInstalled)('pgBackRest, as the chapter for operators says', async () => {
  if (bin === undefined || !isInstalled) return
  const [configuration, postgresSettings, first, back] = blocks as [string, string, string, string]
  const folder = await makeFolder()
  const [configFile, dataDir] = [join(folder, 'pgbackrest.conf'), join(folder, 'console')]
  const archiveCommand = /^archive_command = '(.*)'$/m.exec(postgresSettings)![1]!
  const archiving = {
    archive_mode: 'on',
    archive_command: archiveCommand.replace('pgbackrest ', `pgbackrest --config=${configFile} `),
    archive_timeout: '60s',
  }
  const server = await startSystemPostgres(bin, archiving, { hasSocket: true })
  afterAll(() => server.stop())
  const url = server.buildUrl('console', 'console')
  const { uid, gid } = await stat(server.data)
  for (const path of [folder, join(folder, 'repository'), join(folder, 'working'), dataDir]) {
    await mkdir(path, { recursive: true })
    await chown(path, uid, gid)
  }
  const own = [`pg1-port=${server.port}`, `pg1-socket-path=${server.folder}`, 'pg1-user=postgres']
  const working = ['lock', 'log', 'spool'].map((name) => `${name}-path=${join(folder, 'working')}`)
  const config = configuration
    .replace('/backup/pgbackrest', join(folder, 'repository'))
    .replace('/var/lib/postgresql/15/main', server.data)
    .replace('[global]', ['[global]', ...working].join('\n'))
  await writeFile(configFile, [config.trimEnd(), ...own].join('\n'))
  const runAll = (block: string, target?: string) => {
    for (const args of readCalls(block))
      server.run('pgbackrest', [
        `--config=${configFile}`,
        ...args.map((arg) => (target && arg.startsWith('--target=') ? `--target=${target}` : arg)),
      ])
  }
  const runStandalone = (...words: string[]) =>
    readCommand(words)!.standalone!({
      config: readConfig(buildEnvironment(url, dataDir)),
      log: pino({ level: 'silent' }),
      actor,
      say: () => {},
    })

  test('puts the database back to an instant, and the console knows that it went back', async () => {
    server.run(join(bin, 'createuser'), ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres', 'console'])
    const create = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres', '-O', 'console', 'console']
    server.run(join(bin, 'createdb'), create)
    const { instant, key, cursor } = await withConsole(url, dataDir, async ({ app, ctx, services }) => {
      const made = await readCommand(['key', 'create', 'shop'])!(ctx)
      const token = /\bpk_\S+|\b[\w-]{30,}\b/.exec(made)![0]
      runAll(first)
      const put = (id: string) =>
        app.inject({
          method: 'PUT',
          url: `/api/platform/v1/members/${id}`,
          headers: { authorization: `Bearer ${token}` },
          payload: { email: `${id}@example.com`, legalFirstName: 'Ana', legalLastName: 'Lima' },
        })
      expect((await put('kept')).statusCode).toBe(200)
      await sealAudit(ctx, never)
      const readClock = async () =>
        (await services.database.pool.query<{ at: string }>(`SELECT clock_timestamp()::text AS at`)).rows[0]!.at
      // pgBackRest counts in seconds: an instant within that of the back-up's end lies before it.
      const second = (await readClock()).slice(0, 19)
      await vi.waitUntil(async () => !(await readClock()).startsWith(second), { interval: 20, timeout: 60_000 })
      const at = await readClock()
      expect((await put('erred')).statusCode).toBe(200)
      await sealAudit(ctx, never)
      const list = await app.inject({ url: '/api/platform/v1/members', headers: { authorization: `Bearer ${token}` } })
      return { instant: at, key: token, cursor: list.json<{ next: string }>().next }
    })
    server.shutDown()
    runAll(back, instant)
    server.start()
    const reader = await runStandalone('db', 'restored')
    expect(reader).toMatch(/^The last that was done in this database is of .*\. 0 sessions ended\./)
    expect((await readdir(dataDir)).some((name) => name.startsWith('before-restore-'))).toBe(true)
    await withConsole(url, dataDir, async ({ app, ctx, services }) => {
      const { rows } = await services.database.pool.query('SELECT id FROM members')
      expect(rows).toEqual([{ id: 'kept' }])
      expect(await readCommand(['audit', 'verify'])!(ctx)).toContain('The audit log is what was sealed')
      const headers = { authorization: `Bearer ${key}` }
      const list = await app.inject({ url: `/api/platform/v1/members?after=${cursor}`, headers })
      expect([list.statusCode, list.json()]).toMatchObject([400, { code: 'cursor_unknown' }])
    })
  })
})
