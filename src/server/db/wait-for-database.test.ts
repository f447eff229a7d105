import { expect, test } from 'vitest'
import { SettingError } from '#server/core/config.ts'
import { freePort } from '#test/support/free-port.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { templateName } from '#test/global-setup.ts'
import { waitForDatabase } from './wait-for-database.ts'
import { findCluster } from '#test/support/cluster.ts'

const postgres = findCluster().postgres
const setting = 'DATABASE_URL'

const start = (url: string, seconds: number) => {
  const said: string[] = []
  return {
    said,
    waiting: waitForDatabase({ connectionString: url }, { setting, say: (line) => said.push(line), seconds }),
  }
}
const buildUrl = (port: number) => buildDatabaseUrl({ ...postgres, host: '127.0.0.1', port }, templateName)

test('a database that comes later is waited for, with one line', async () => {
  const port = await freePort()
  const { said, waiting } = start(buildUrl(port), 20)
  await expect
    .poll(() => said)
    .toEqual([
      expect.stringMatching(
        /^Waiting for the database, for 20 seconds at most: DATABASE_URL leads to 127\.0\.0\.1:\d+, where no /,
      ),
    ])
  const { host } = postgres
  const path = `${host}/.s.PGSQL.${postgres.port}`
  const proxy = await startTcpProxy(host.startsWith('/') ? { path } : { host, port: postgres.port }, port)
  await waiting
  await proxy.close()
  expect(said).toHaveLength(1)
})

test('a database that stays away ends the wait with the line of its setting', async () => {
  const { waiting } = start(buildUrl(await freePort()), 2)
  await expect(waiting).rejects.toThrow(SettingError)
  await expect(waiting).rejects.toThrow(/^DATABASE_URL leads to 127\.0\.0\.1:\d+, where no PostgreSQL can be reached/)
})

test('without a time to wait a database that is away ends the start at once', async () => {
  const { said, waiting } = start(buildUrl(await freePort()), 0)
  await expect(waiting).rejects.toThrow(SettingError)
  expect(said).toEqual([])
})

test('a wrong password is not waited for', async () => {
  const { said, waiting } = start(buildDatabaseUrl({ ...postgres, password: 'wrong' }, 'no_such_database'), 60)
  await expect(waiting).rejects.toThrow(SettingError)
  expect(said).toEqual([])
})
