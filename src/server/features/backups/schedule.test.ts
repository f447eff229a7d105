import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { runJob } from '#test/support/jobs.ts'
import { startServer } from '#test/support/server.ts'
import { verifyBackup } from './verify.ts'

const root = await mkdtemp(join(tmpdir(), 'back-office-scheduled-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const folder = join(root, 'backups')
const server = await startServer({ BACKUP_TO: folder, BACKUP_EVERY: '6h', BACKUP_KEEP: '2' })
const { services } = server
const backUp = () => runJob(services, 'make-backup')
const list = async () => (await readdir(folder)).toSorted()
const readHealth = async () => (await server.as(null)('GET', '/ready')).json()

/** Moves instants of the state into the past. */
const age = (name: 'finishedAt' | 'failedAt', hours: number) =>
  server.sql(
    `UPDATE settings SET value = jsonb_set(value, ARRAY[$1], to_jsonb((now() - make_interval(mins => $2))::text))
     WHERE name = 'scheduled_backup'`,
    [name, hours * 60],
  )
const readEvents = () =>
  server.sql<{ severity: string; description: string; count: number }>(
    `SELECT severity, description, (details->>'count')::int AS count FROM security_events
     WHERE event_type = 'backup_failed' ORDER BY id`,
  )

beforeEach(async () => {
  await server.sql(`DELETE FROM settings WHERE name = 'scheduled_backup'`)
  await server.sql('DELETE FROM security_events')
  await rm(folder, { recursive: true, force: true })
  services.config.backups.place = { folder }
})

test('a back-up is made at first, and again when it is older than BACKUP_EVERY', async () => {
  expect(await readHealth()).toEqual({ status: 'ok', backup: { lastAt: null, isFailing: false, isOverdue: false } })
  await backUp()
  const [first, ...others] = await list()
  expect(first).toMatch(/^back-office-20\d{6}T\d{9}Z$/)
  expect(others).toEqual([])
  const { manifest } = await verifyBackup({ store: createFolderObjects(join(folder, first!)), identities: [] })
  const healthy = { lastAt: manifest.takenAt, isFailing: false, isOverdue: false }
  expect(await readHealth()).toEqual({ status: 'ok', backup: healthy })
  await age('finishedAt', 5.9)
  await backUp()
  expect(await list()).toEqual([first])
  await age('finishedAt', 6.1)
  await backUp()
  expect(await list()).toHaveLength(2)
})

test('what a proxy passes on learns nothing of the back-ups', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  expect((await server.app.inject({ url: '/ready', headers })).json()).toEqual({ status: 'ok' })
})

test('the newest BACKUP_KEEP stay, and nothing else is touched', async () => {
  const whole = async (name: string) => {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'SHA256SUMS'), '')
  }
  await whole('back-office-20260101T000000000Z')
  await whole('back-office-20260102T000000000Z')
  await whole('back-office-before-upgrade')
  // Somebody copies one there, and two servers have left what they had begun.
  await mkdir(join(folder, 'back-office-20260103T000000000Z'))
  await mkdir(join(folder, 'back-office-20260104T000000000Z', 'tables'), { recursive: true })
  await writeFile(join(folder, 'back-office-20260104T000000000Z', 'UNFINISHED'), '')
  await mkdir(join(folder, 'back-office-20260105T000000000Z.partial'))
  await backUp()
  expect(await list()).toEqual([
    'back-office-20260102T000000000Z',
    'back-office-20260103T000000000Z',
    expect.stringMatching(/^back-office-20\d{6}T\d{9}Z$/),
    'back-office-before-upgrade',
  ])
})

test('one of several servers makes the back-up', async () => {
  await Promise.all([backUp(), backUp(), backUp()])
  await backUp()
  expect(await list()).toHaveLength(1)
  expect(await readEvents()).toEqual([])
})

test('a back-up that fails is an event and shows in the answer of health', async () => {
  await backUp()
  const { backup } = await readHealth()
  await writeFile(join(root, 'file'), '')
  services.config.backups.place = { folder: join(root, 'file') }
  await age('finishedAt', 7)
  await expect(backUp()).rejects.toThrow()
  expect(await readHealth()).toMatchObject({ status: 'ok', backup: { isFailing: true, isOverdue: false } })
  expect(await readEvents()).toMatchObject([{ severity: 'medium', count: 1 }])
  // It is not tried again at once.
  await backUp()
  await age('failedAt', 0.6)
  await expect(backUp()).rejects.toThrow()
  expect(await readEvents()).toMatchObject([{ severity: 'medium', count: 2 }])
  await age('failedAt', 0.6)
  await age('finishedAt', 13)
  await expect(backUp()).rejects.toThrow()
  const [, critical] = await readEvents()
  expect(critical).toMatchObject({ severity: 'critical', count: 1 })
  expect(critical!.description).toMatch(/^A back-up by the clock failed, and the last one is of 20.*: E/)
  const { notices } = (await server.as('ada')('GET', '/api/notices')).json()
  expect(notices).toEqual([{ kind: 'critical_events', count: 1 }])
  services.config.backups.place = { folder }
  await age('failedAt', 0.6)
  await backUp()
  expect((await readHealth()).backup).toMatchObject({ isFailing: false, isOverdue: false })
  expect(Date.parse((await readHealth()).backup.lastAt)).toBeGreaterThanOrEqual(Date.parse(backup.lastAt))
})
