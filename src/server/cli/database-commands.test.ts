import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { readAccount } from '#server/db/rights.ts'
import { describeAccountRisk, openServerBase } from '#server/process/start.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { auditKey, buildDatabaseUrl, documentsKey, newDatabaseName } from '#test/support/console-process.ts'
import { startServer } from '#test/support/server.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const admin = await createAdminCommand(server)
const postgres = findCluster().postgres
const owner = newDatabaseName('plain')
const maintenance = new pg.Client(postgres)
await maintenance.connect()
await maintenance.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'plain'`)
await maintenance.query(`CREATE DATABASE ${owner} OWNER ${owner}`)
const environment = { DATABASE_URL: buildDatabaseUrl({ ...postgres, user: owner, password: 'plain' }, owner) }
const folder = await mkdtemp(join(tmpdir(), 'back-office-roles-'))
afterAll(async () => {
  await maintenance.query(`DROP DATABASE ${owner} WITH (FORCE)`)
  await maintenance.query(`DROP ROLE IF EXISTS ${owner}_server`)
  await maintenance.query(`DROP ROLE ${owner}`)
  await maintenance.end()
  await rm(folder, { recursive: true, force: true })
})
const open = (given: Record<string, string>) =>
  openServerBase(
    readConfig({ DATA_DIR: folder, AUDIT_KEY: auditKey, DOCUMENTS_KEY: documentsKey, ...given }),
    server.services.log,
    () => {},
  )

test('db roles prints what makes an account for the server, and makes none', async () => {
  const { code, out } = await admin(['db', 'roles'], { environment })
  expect(code).toBe(0)
  expect(out).toContain(`CREATE ROLE "${owner}_server" LOGIN PASSWORD '<password>';`)
  expect(out).toContain(`GRANT SELECT, INSERT ON public."audit_log" TO "${owner}_server";`)
  expect(out).toContain('set DATABASE_URL to the new account, and DATABASE_OWNER_URL to the present one')
  const { rowCount } = await maintenance.query('SELECT FROM pg_roles WHERE rolname = $1', [`${owner}_server`])
  expect(rowCount).toBe(0)
})

test('db roles --apply makes an account that starts the console without a warning', async () => {
  const before = await open(environment)
  expect(await describeAccountRisk(before.services)).toMatch(`The database account "${owner}" `)
  await before.close()
  const { code, out } = await admin(['db', 'roles', '--apply'], { environment })
  expect(code).toBe(0)
  const url = /^DATABASE_URL='(.*)'$/m.exec(out)![1]!
  const base = await open({ DATABASE_URL: url, DATABASE_OWNER_URL: environment.DATABASE_URL })
  expect(await readAccount(base.services.database)).toEqual({ name: `${owner}_server`, level: 'limited' })
  expect(await describeAccountRisk(base.services)).toBeUndefined()
  await base.close()
  // Without the owner too, as nothing is to be migrated.
  const alone = await open({ DATABASE_URL: url })
  await alone.services.database.pool.query('SELECT count(*) FROM members')
  await alone.close()
  expect((await admin(['db', 'roles'], { environment: { DATABASE_URL: url } })).out).toMatch(
    `The account "${owner}_server" has only the rights that the server needs`,
  )
  // As the service `migrate` of compose runs it.
  const both = { DATABASE_URL: url, DATABASE_OWNER_URL: environment.DATABASE_URL }
  expect((await admin(['db', 'roles'], { environment: both })).out).toBe(
    `The account "${owner}_server" has the rights that the server needs, and no more.\n`,
  )
})

test('db roles says what it does not know', async () => {
  const [bare, odd] = await Promise.all([admin(['db']), admin(['db', 'rights'])])
  expect([bare.code, odd.code]).toEqual([2, 2])
  expect(odd.error).toContain('There is no command "db rights"')
})
