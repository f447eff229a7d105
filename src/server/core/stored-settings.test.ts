import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { buildApp } from '#server/app.ts'
import { readConfig, SettingError } from './config.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { holdsDemoData, markDemoData, protectDemoData } from './stored-settings.ts'

const server = await startServer()
const { services } = server
const KYC_WEBHOOK_SECRET = `whsec_${'a'.repeat(32)}`
const PLATFORM_WEBHOOK_SECRET = `whsec_${'b'.repeat(32)}`

/** Starts with these settings on this file's database. */
const startWith = (given: Record<string, string>) => protectDemoData({ ...services, config: readConfig(given) })
const away: [string, Record<string, string>][] = [
  ['PLATFORM_WEBHOOK_URL', { PLATFORM_WEBHOOK_URL: 'https://platform.example/events', PLATFORM_WEBHOOK_SECRET }],
  ['KYC_WEBHOOK_URL', { KYC_WEBHOOK_URL: 'https://kyc.example', KYC_WEBHOOK_SECRET }],
  [
    'KYC_WEBHOOK_URL',
    {
      PLATFORM_WEBHOOK_URL: 'http://localhost:4000',
      PLATFORM_WEBHOOK_SECRET,
      KYC_WEBHOOK_URL: 'https://10.0.0.4/',
      KYC_WEBHOOK_SECRET,
    },
  ],
  [
    'DOCUMENTS',
    {
      DOCUMENTS: 's3://real/?endpoint=https://store.example',
      DOCUMENTS_ACCESS_KEY_ID: 'a',
      DOCUMENTS_SECRET_ACCESS_KEY: 'b',
    },
  ],
  [
    'BACKUP_TO',
    {
      BACKUP_TO: 's3://real/?endpoint=https://store.example',
      BACKUP_ACCESS_KEY_ID: 'a',
      BACKUP_SECRET_ACCESS_KEY: 'b',
    },
  ],
  ['ALARMS_URL', { ALARMS_URL: 'https://siem.example', ALARMS_SECRET: PLATFORM_WEBHOOK_SECRET }],
  ['SMTP_URL', { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'console@example.com' }],
  ['ALARMS_SYSLOG', { ALARMS_SYSLOG: 'tls://siem.example:6514' }],
  ['CHAIN_MODE=rpc', { CHAIN_MODE: 'rpc', BSC_RPC_URLS: 'https://rpc.example' }],
  ['BSC_RPC_URLS', { BSC_RPC_URLS: 'https://rpc.example' }],
]

test('a database of real data may be told of any platform, provider or chain (product 13.4)', async () => {
  for (const [, given] of away) await expect(startWith(given)).resolves.toBeUndefined()
})

test('demo data stops a start whose settings lead off this machine (product 13.4)', async () => {
  await services.database.transaction(markDemoData)
  for (const [setting, given] of away) {
    const refused = startWith(given)
    await expect(refused).rejects.toThrow(SettingError)
    await expect(refused).rejects.toThrow(new RegExp(`^${setting} .*DEMO=off and an empty DATA_DIR`))
  }
})

test('demo data goes with this machine, and with a chain that is off or its own (product 13.4)', async () => {
  const staying: Record<string, string>[] = [
    {},
    {
      PLATFORM_WEBHOOK_URL: 'http://127.0.0.1:4000/events',
      PLATFORM_WEBHOOK_SECRET,
      KYC_WEBHOOK_URL: 'http://[::1]:4001',
      KYC_WEBHOOK_SECRET,
    },
    { CHAIN_MODE: 'off', BSC_RPC_URLS: 'https://rpc.example' },
    { CHAIN_MODE: 'embedded', BSC_RPC_URLS: 'https://rpc.example' },
  ]
  for (const given of staying) await expect(startWith(given)).resolves.toBeUndefined()
})

test('once a start has read the mark, pages know it also while the database is away', async () => {
  const database = connectPool(readConnectionOptions(services.database.pool), () => {})
  await protectDemoData({ ...services, database })
  await database.close()
  expect(await holdsDemoData(database)).toBe(true)
})

test('a page is served while the database is away, also where the mark was never read', async () => {
  const database = connectPool({ host: '127.0.0.1', port: 1 }, () => {})
  const app = await buildApp({ ...services, database })
  const reply = await app.inject({ url: '/users', headers: { accept: 'text/html' } })
  // Without built pages there is none to serve, and that is said.
  const isBuilt = !reply.body.includes('The web app is not built')
  expect([reply.statusCode, reply.headers['content-type']]).toEqual(
    isBuilt ? [200, 'text/html; charset=utf-8'] : [404, 'application/json; charset=utf-8'],
  )
  await app.close()
  await database.close()
})
