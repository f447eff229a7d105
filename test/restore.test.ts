import { renameSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { readCommand } from '#server/cli/admin-commands.ts'
import { restoreBackup } from '#server/features/backups/service.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import { openServerBase } from '#server/process/start.ts'
import { auditKey, documentsKey } from './support/console-process.ts'
import { findSystemPostgres, runTool, startSystemPostgres } from './support/system-postgres.ts'

const bin = findSystemPostgres()
const folder = await mkdtemp(join(tmpdir(), 'back-office-restore-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const log = pino({ level: 'silent' })
const never = new AbortController().signal
type Urls = { DATABASE_URL: string; DATABASE_OWNER_URL?: string }

const readSettings = (urls: Urls, dataDir: string) =>
  readConfig({ ...urls, DATA_DIR: dataDir, AUDIT_KEY: auditKey, DOCUMENTS_KEY: documentsKey })

/** A console on these databases, as a start makes it, until `work` is done. */
async function withConsole<T>(urls: Urls, dataDir: string, work: (tools: ReturnType<typeof makeTools>) => Promise<T>) {
  const config = readSettings(urls, dataDir)
  const base = await openServerBase(config, log, () => {})
  try {
    return await work(makeTools(base))
  } finally {
    await base.close()
  }
}

function makeTools({ services }: Awaited<ReturnType<typeof openServerBase>>) {
  const ctx = contextFor(services, { kind: 'command', name: 'tests' })
  return {
    command: (...words: string[]) => readCommand(words)!(ctx),
    write: (count: number) =>
      inTransaction(ctx, async (tx) => {
        for (let n = 0; n < count; n++)
          await audit(tx, ctx, { action: 'import', target: { type: 'user', id: `m-${n}` }, details: { n } })
      }),
    seal: () => sealAudit(ctx, never),
    query: async (text: string) => (await services.database.pool.query<Record<string, unknown>>(text)).rows,
  }
}

/** The number of rows of each table and a digest of them. */
async function digestTables(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
    )
    const digests: Record<string, unknown> = {}
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS rows, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) AS digest FROM ${pg.escapeIdentifier(name)} AS t`,
      )
      digests[name] = rows[0]
    }
    return digests
  } finally {
    await client.end()
  }
}

async function runSql(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe.skipIf(bin === undefined)('a back-up by pg_dump that is restored on another server', async () => {
  if (bin === undefined) return
  const [first, second] = [await startSystemPostgres(bin), await startSystemPostgres(bin)]
  afterAll(() => {
    first.stop()
    second.stop()
  })
  const dataDir = join(folder, 'first')
  await mkdir(dataDir)
  const dump = join(folder, 'console.dump')
  const checkpoints = (dir: string) => join(dir, 'audit-checkpoints-console.jsonl')
  const owner = (server: typeof first) => server.buildUrl('console', 'console_owner')
  const both = (server: typeof first) => ({
    DATABASE_URL: server.buildUrl('console', 'console_owner_server'),
    DATABASE_OWNER_URL: owner(server),
  })
  const makeAccounts = ['CREATE ROLE console_owner LOGIN CREATEROLE', 'CREATE DATABASE console OWNER console_owner']

  test('has the same rows, and an audit log that is what was sealed', async () => {
    await runSql(first.buildUrl('postgres'), ...makeAccounts)
    // The first server has had more transactions than the second one.
    await runSql(
      first.buildUrl('postgres'),
      'DO $$ BEGIN FOR n IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$',
    )
    await withConsole({ DATABASE_URL: owner(first) }, dataDir, ({ command }) => command('db', 'roles', '--apply'))
    await withConsole(both(first), dataDir, async ({ command, write, seal }) => {
      await command('key', 'create', 'shop')
      await write(150)
      await seal()
      await write(5)
    })
    await cp(checkpoints(dataDir), join(folder, 'checkpoints'))
    const dumpAs = (url: string) => runTool(bin, 'pg_dump', ['--format=custom', `--file=${dump}`, url])
    expect(() => dumpAs(both(first).DATABASE_URL)).toThrow('permission denied')
    dumpAs(owner(first))

    await runSql(second.buildUrl('postgres'), ...makeAccounts, 'CREATE ROLE console_owner_server LOGIN')
    runTool(bin, 'pg_restore', ['--no-owner', '--no-acl', '--exit-on-error', `--dbname=${owner(second)}`, dump])
    expect(await digestTables(owner(second))).toEqual(await digestTables(owner(first)))
    const copy = join(folder, 'second')
    await cp(dataDir, copy, { recursive: true })
    await withConsole(both(second), copy, async ({ command, seal, write, query }) => {
      expect(await command('audit', 'verify')).toMatch(
        /^The audit log is what was sealed: 15\d entries and 1 checkpoints/,
      )
      expect(await query('SELECT current_user AS name')).toEqual([{ name: 'console_owner_server' }])
      expect(await command('db', 'roles')).toContain('has the rights that the server needs, and no more')
      // What was not sealed yet, and what comes now, is sealed on, though transactions have smaller numbers here.
      await write(3)
      await seal()
      await write(2)
      await seal()
      const [{ rows }] = (await query('SELECT count(*)::int AS rows FROM audit_log')) as [{ rows: number }]
      expect(await command('audit', 'status')).toContain(`Sealed up to entry ${rows}, at`)
      expect(await command('audit', 'verify')).toContain(`${rows} entries`)
    })
  })

  test('that is older than the checkpoints is named as cut off, until they are put aside', async () => {
    await withConsole(both(first), dataDir, async ({ write, seal }) => {
      await write(200)
      await seal()
    })
    await runSql(second.buildUrl('postgres'), 'DROP DATABASE console', 'CREATE DATABASE console OWNER console_owner')
    runTool(bin, 'pg_restore', ['--no-owner', '--no-acl', '--exit-on-error', `--dbname=${owner(second)}`, dump])
    const copy = join(folder, 'older')
    await cp(dataDir, copy, { recursive: true })
    await withConsole(both(second), copy, async ({ command, write, seal }) => {
      await expect(command('audit', 'verify')).rejects.toThrow(/the end of the chain was cut off/)
      renameSync(checkpoints(copy), join(copy, 'before-restore'))
      await cp(join(folder, 'checkpoints'), checkpoints(copy))
      await seal()
      expect(await command('audit', 'verify')).toContain('The audit log is what was sealed')
      await write(120)
      await seal()
      expect(await command('audit', 'verify')).toMatch(/ and [23] checkpoints are right/)
    })
  })

  test('by command is restored there with both accounts (decision 087)', async () => {
    const place = join(folder, 'by-command')
    await withConsole(both(first), dataDir, ({ command }) => command('backup', place))
    await runSql(second.buildUrl('postgres'), 'DROP DATABASE console', 'CREATE DATABASE console OWNER console_owner')
    const copy = join(folder, 'restored')
    await cp(dataDir, copy, { recursive: true })
    const { services, ...base } = await openRestoreBase(readSettings(both(second), copy), log, () => {})
    const ctx = contextFor(services, { kind: 'command', name: 'tests' })
    await restoreBackup(ctx, base.owner, { store: createFolderObjects(place), identities: [], say: () => {} })
    await base.close()
    const [before, after] = [await digestTables(owner(first)), await digestTables(owner(second))]
    for (const table of ['platform_keys', 'audit_chain', 'list_totals']) expect(after[table]).toEqual(before[table])
    expect((await readdir(copy)).some((name) => name.startsWith('before-restore-'))).toBe(true)
    await withConsole(both(second), copy, async ({ command, seal, write }) => {
      expect(await command('db', 'roles')).toContain('has the rights that the server needs, and no more')
      expect(await command('audit', 'verify')).toContain('The audit log is what was sealed')
      await write(120)
      await seal()
      expect(await command('audit', 'verify')).toContain('The audit log is what was sealed')
    })
  })
})
