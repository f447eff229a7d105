import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, SettingError } from '#server/core/config.ts'
import { openServerBase } from '#server/process/start.ts'
import { buildDatabaseUrl, newDatabaseName } from '#test/support/console-process.ts'
import { startServer } from '#test/support/server.ts'
import { connectPool } from './client.ts'
import { accountsOf, ownerRole, prepareRoles, serverRole } from './embedded/roles.ts'
import { migrateDatabase } from './migrate.ts'
import { planRights, readAccount, rightsOfTable } from './rights.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const { pool } = server.services.database
const refused = { code: '42501' }

describe('the account of the server', () => {
  test('has on every table the rights that it needs, and no others', async () => {
    const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']
    const rows = await server.sql<{ name: string; held: string[] }>(
      `SELECT c.relname AS name, array_agg(r ORDER BY ordinality) FILTER (WHERE has_table_privilege($1, c.oid, r)) AS held
      FROM pg_class c CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS rights(r, ordinality)
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') GROUP BY c.relname`,
      [serverRole, rights],
    )
    expect(rows.length).toBeGreaterThan(30)
    const wanted = rows.map(({ name }) => ({ name, held: rights.filter((each) => rightsOfTable(name).includes(each)) }))
    expect(rows).toEqual(wanted)
    expect(rightsOfTable('audit_log')).toEqual(['SELECT', 'INSERT'])
  })

  test.each([
    ['switch triggers off', 'SET session_replication_role = replica'],
    ['run a program', `COPY (SELECT 1) TO PROGRAM 'true'`],
    ['read a file', `SELECT pg_read_file('PG_VERSION')`],
    ['write a file', `COPY (SELECT 1) TO '/tmp/a-file'`],
    ['become the owner', `SET ROLE ${ownerRole}`],
    ['make a table', 'CREATE TABLE mine (id int)'],
    ['make a schema', 'CREATE SCHEMA mine'],
    ['change a table', 'ALTER TABLE members ADD COLUMN mine int'],
    ['take a trigger away', 'DROP TRIGGER audit_log_append_only ON audit_log'],
    ['disable a trigger', 'ALTER TABLE audit_log DISABLE TRIGGER ALL'],
    ['replace a function', 'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS $$SELECT$$'],
    ['change an audit row', `UPDATE audit_log SET actor_name = 'nobody'`],
    ['delete an audit row', 'DELETE FROM audit_log'],
    ['empty the audit log', 'TRUNCATE audit_log'],
    ['delete a part of a bank line', 'DELETE FROM bank_allocations'],
    ['change applied migrations', 'DELETE FROM drizzle.__drizzle_migrations'],
    ['make an account', 'CREATE ROLE mine'],
    ['read passwords', 'SELECT rolpassword FROM pg_authid'],
  ])('cannot %s', async (_what, statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject(refused)
  })

  test('is told from an owner and from a superuser', async () => {
    expect(await readAccount(server.services.database)).toEqual({ name: serverRole, level: 'limited' })
    const owner = connectPool({ ...server.connection, options: `-c role=${ownerRole}` }, () => {})
    expect(await readAccount(owner)).toEqual({ name: ownerRole, level: 'owner' })
    await owner.close()
    const superuser = connectPool(server.connection, () => {})
    expect(await readAccount(superuser)).toMatchObject({ level: 'superuser' })
    await superuser.close()
  })

  test('gets its rights on the tables of a later migration', async () => {
    await server.sql(`SET ROLE ${ownerRole}; CREATE TABLE later (id bigint PRIMARY KEY, n serial); RESET ROLE`)
    await pool.query('INSERT INTO later (id) VALUES (1)')
    await pool.query('UPDATE later SET id = 2')
    await pool.query('DELETE FROM later')
    await expect(pool.query('TRUNCATE later')).rejects.toMatchObject(refused)
    await server.sql('DROP TABLE later')
  })

  test('loses a right that it must not have at the next start', async () => {
    await server.sql(
      `GRANT UPDATE, TRUNCATE ON audit_log TO ${serverRole}; REVOKE INSERT ON members FROM ${serverRole}`,
    )
    const owner = { ...server.connection, options: `-c role=${ownerRole}` }
    const client = new pg.Client(owner)
    onTestFinished(() => client.end())
    await client.connect()
    expect(await planRights(client, serverRole)).toEqual([
      'REVOKE UPDATE, TRUNCATE ON public."audit_log" FROM "console"',
      'GRANT INSERT ON public."members" TO "console"',
    ])
    await migrateDatabase(owner, { grantTo: serverRole })
    expect(await planRights(client, serverRole)).toEqual([])
  })
})

describe('databases with and without accounts of their own', () => {
  const postgres = findCluster().postgres
  const name = newDatabaseName('rights')
  const connection = { ...postgres, database: name }
  const maintenance = new pg.Client(postgres)
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'back-office-rights-'))
    await maintenance.connect()
    await maintenance.query(`CREATE DATABASE ${name}`)
  })
  afterAll(async () => {
    await maintenance.end()
    await rm(folder, { recursive: true, force: true })
  })
  const query = async (text: string, on: pg.ClientConfig = connection) => {
    const client = new pg.Client(on)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  test('a database that a superuser owned is given to the owner, with all that it holds', async () => {
    await migrateDatabase(connection)
    await query(`INSERT INTO members (id, email) VALUES ('kept', 'kept@rights.test')`)
    const { owner, server: account } = await prepareRoles(connection)
    await migrateDatabase(owner, { grantTo: serverRole })
    const owners = await query(`
      SELECT DISTINCT owner::regrole::text FROM (
        SELECT relowner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'drizzle'::regnamespace)
        UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname = 'drizzle'
        UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()
        UNION ALL SELECT proowner FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')) AS o(owner)`)
    expect(owners).toEqual([{ owner: ownerRole }])
    expect(await query('SELECT id FROM members', account)).toEqual([{ id: 'kept' }])
    await query(
      `INSERT INTO audit_log (actor_kind, actor_name, action, details) VALUES ('system', 'a', 'b', '{}')`,
      account,
    )
    await expect(prepareRoles(connection)).resolves.toEqual(accountsOf(connection))
  })

  test('the server starts with its own account alone while no migration waits', async () => {
    const { server: account } = accountsOf(connection)
    await migrateDatabase(account)
    const migration = join(folder, '29990101000000_later')
    await mkdir(migration)
    await writeFile(join(migration, 'migration.sql'), 'CREATE TABLE later (id int)')
    await query('DELETE FROM drizzle.__drizzle_migrations')
    await expect(migrateDatabase(account, { migrationsFolder: folder })).rejects.toThrow(SettingError)
    await expect(migrateDatabase(account, { migrationsFolder: folder })).rejects.toThrow(
      'DATABASE_URL names an account that may not change tables, and 1 migration waits: set DATABASE_OWNER_URL',
    )
  })

  test.each([
    [
      'the same account',
      buildDatabaseUrl(connection, name),
      'DATABASE_OWNER_URL names the same account as DATABASE_URL',
    ],
    ['another database', buildDatabaseUrl(connection, 'postgres'), 'DATABASE_OWNER_URL names another database'],
    ['no database', buildDatabaseUrl(connection, 'no_such'), 'DATABASE_OWNER_URL names the database "no_such"'],
  ])('%s as the owner is refused in one line', async (_what, ownerUrl, line) => {
    const environment = {
      DATABASE_URL: buildDatabaseUrl(connection, name),
      DATABASE_OWNER_URL: ownerUrl,
      DATA_DIR: folder,
    }
    await expect(openServerBase(readConfig(environment), server.services.log, () => {})).rejects.toThrow(line)
  })
})
