import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDatabaseUrl, newDatabaseName } from '#test/support/console-process.ts'
import { SettingError } from '#server/core/config.ts'
import { connectPool } from './client.ts'
import { migrateDatabase } from './migrate.ts'
import { connectOnce } from './own-server.ts'
import { findCluster } from '#test/support/cluster.ts'

const postgres = findCluster().postgres
const names = { odd: newDatabaseName('odd'), ascii: newDatabaseName('ascii'), plain: newDatabaseName('plain') }
const maintenance = new pg.Client(postgres)

const urlOf = (database: string, { options = '', password = postgres.password } = {}) =>
  buildDatabaseUrl({ ...postgres, password }, database, options)

const refusal = (connectionString: string) =>
  migrateDatabase({ connectionString }).then(
    () => expect.fail('it was not refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(SettingError)
      return (error as SettingError).message
    },
  )

beforeAll(async () => {
  await maintenance.connect()
  const c = `TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`
  await maintenance.query(`CREATE DATABASE ${names.odd}`)
  await maintenance.query(`CREATE DATABASE ${names.ascii} ${c} ENCODING 'SQL_ASCII'`)
  await maintenance.query(`CREATE DATABASE ${names.plain} ${c} ENCODING 'UTF8'`)
  for (const setting of [`timezone = 'America/New_York'`, `datestyle = 'German, DMY'`, `intervalstyle = 'iso_8601'`])
    await maintenance.query(`ALTER DATABASE ${names.odd} SET ${setting}`)
})

afterAll(() => maintenance.end())

test('instants are read alike in every time zone and date style of the server', async () => {
  const options = '-c TimeZone=Asia/Tokyo -c work_mem=5MB'
  const connections: pg.ClientConfig[] = [
    { connectionString: urlOf(names.odd) },
    { connectionString: urlOf(names.odd, { options }) },
    { ...postgres, database: names.odd, options },
  ]
  const asked = `SELECT timestamptz '2026-07-01 00:30:00Z'::text AS at, date '2026-07-01'::text AS day,
    interval '36 hours'::text AS span, current_setting('work_mem') AS memory`
  const read = { at: '2026-07-01 00:30:00+00', day: '2026-07-01', span: '36:00:00' }
  for (const [at, connection] of connections.entries()) {
    const expected = { ...read, memory: at === 0 ? expect.any(String) : '5MB' }
    const database = connectPool(connection, () => {})
    expect((await database.pool.query(asked)).rows).toEqual([expected])
    // As the connection that hears of changes is made: from what the pool was given.
    const { options: poolOptions } = database.pool
    const single = await connectOnce({ ...poolOptions, password: poolOptions.password })
    expect((await single.query(asked)).rows).toEqual([expected])
    await single.end()
    await database.close()
  }
})

test('a database with an unfit encoding or locale is refused with what to do', async () => {
  expect(await refusal(urlOf(names.ascii))).toMatch(
    /^DATABASE_URL names the database "ascii_[\d_]+", whose encoding is SQL_ASCII: create one with ENCODING 'UTF8'/,
  )
  expect(await refusal(urlOf(names.plain))).toMatch(
    /^DATABASE_URL names the database "plain_[\d_]+", whose locale knows no letters beyond ASCII: create one/,
  )
  await expect(migrateDatabase({ ...postgres, database: names.plain })).rejects.toThrow(SettingError)
})

test('an unusable DATABASE_URL is reported in one line without its password', async () => {
  const secret = 'a-very-secret-password'
  const refused = await Promise.all([
    refusal(`postgres://a:${secret}@127.0.0.1:1/b`),
    refusal(`postgres://a:${secret}@console.invalid/b`),
    refusal(urlOf('no_such_database')),
    refusal(urlOf(names.odd, { password: secret })),
    refusal(`postgres://a:${secret}@/b?host=/no/such/folder`.replace('@/', '@localhost/')),
  ])
  expect(refused).toEqual([
    expect.stringContaining('leads to 127.0.0.1:1, where no PostgreSQL can be reached'),
    expect.stringMatching(/names the host console\.invalid, which is not known|leads to console\.invalid/),
    expect.stringContaining('names the database "no_such_database", which '),
    expect.stringContaining(`names the account "${postgres.user}" or a password that `),
    expect.stringContaining('leads to /no/such/folder, where no PostgreSQL'),
  ])
  for (const line of refused) {
    expect(line).toMatch(/^DATABASE_URL .*: /)
    expect(line).not.toMatch(/\n|secret/)
  }
})
