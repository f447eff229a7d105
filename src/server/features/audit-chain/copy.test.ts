import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFolderObjects } from '#server/adapters/folder-objects.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { readConfig } from '#server/core/config.ts'
import { generateAgeKey } from '#server/lib/age.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { runJob } from '#test/support/jobs.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { sealAudit } from './seal.ts'
import { readCopiedAt } from './copy-by-clock.ts'
import { copyAudit, verifyCopy } from './copy.ts'
import { verifyAudit } from './verify.ts'

const server = await startServer()
const { system, services } = server
const admin = await createAdminCommand(server)
const never = new AbortController().signal

async function write(count: number) {
  await inTransaction(system, async (tx) => {
    for (let n = 0; n < count; n++)
      await audit(tx, system, { action: 'import', target: { type: 'user', id: `m-${n}` }, details: { n, name: 'Ána' } })
  })
  await settle(server)
  await sealAudit(system, never)
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'audit-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const first = 'audit-0000000001.jsonl.zst'
const copy = async (folder: string) => (await copyAudit(services, { store: createFolderObjects(folder) }))!
const verify = (folder: string) => verifyCopy(services.config, { store: createFolderObjects(folder) })

/** Superusers alone change what is sealed. It is as before when the test is over. */
async function alter(change: string, undo: string) {
  const run = (text: string) => server.sql(`SET LOCAL session_replication_role = replica; ${text}`)
  await run(change)
  onTestFinished(async () => void (await run(undo)))
}

const countSealed = async () => {
  const rows = await server.sql<{ sealed: string }>('SELECT count(*)::text AS sealed FROM audit_chain')
  return BigInt(rows[0]!.sealed)
}

beforeAll(() => write(12))

test('a copy holds each sealed entry as it is, and is verified with the key alone', async () => {
  const folder = await makeFolder()
  const entries = await countSealed()
  expect(await copy(folder)).toEqual({ entries, added: entries, files: 1 })
  const lines = zstdDecompressSync(await readFile(join(folder, first)))
    .toString()
    .trim()
    .split('\n')
  const stored = await server.sql<{ seq: string; mac: string }>(
    `SELECT seq::text, encode(mac, 'hex') AS mac FROM audit_chain c ORDER BY c.seq`,
  )
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(stored)
  expect(JSON.parse(JSON.parse(lines[0]!).content)).toContain('import')
  expect(await verify(folder)).toMatchObject({ entries, files: 1 })
})

test('a later copy goes on where the last one ended', async () => {
  const folder = await makeFolder()
  await copy(folder)
  expect(await copy(folder)).toMatchObject({ added: 0n, files: 1 })
  await write(3)
  const entries = await countSealed()
  expect(await copy(folder)).toEqual({ entries, added: 3n, files: 2 })
  expect(await verify(folder)).toMatchObject({ entries, files: 2 })
})

test('two simultaneous copies into one folder leave each entry once', async () => {
  const folder = await makeFolder()
  const copies = await Promise.all([copy(folder), copy(folder)])
  const entries = await countSealed()
  expect(copies.map(({ added }) => Number(added)).toSorted((one, other) => one - other)).toEqual([0, Number(entries)])
  expect(await verify(folder)).toMatchObject({ entries, files: 1 })
})

test('an entry that was changed in the database is not copied', async () => {
  const folder = await makeFolder()
  const rename = (from: string, to: string) =>
    `UPDATE audit_log SET actor_name = '${to}' WHERE actor_name = '${from}' AND id = (SELECT audit_id FROM audit_chain WHERE seq = 5)`
  await alter(rename(system.actor.name, 'eve'), rename('eve', system.actor.name))
  await expect(copy(folder)).rejects.toThrow('Entry 5 of the database is not what was sealed')
  expect(await readdir(folder)).toEqual([])
})

test('a folder of another log is refused', async () => {
  const folder = await makeFolder()
  await copy(folder)
  const last = await countSealed()
  const [stored] = await server.sql<{ mac: string }>(
    `SELECT encode(mac, 'hex') AS mac FROM audit_chain WHERE seq = $1`,
    [`${last}`],
  )
  const put = (mac: string) => `UPDATE audit_chain SET mac = decode('${mac}', 'hex') WHERE seq = ${last}`
  await alter(put('00'.repeat(32)), put(stored!.mac))
  await expect(copy(folder)).rejects.toThrow('is another one in the database')
})

const lineOf = (bytes: Buffer, change: (lines: string[]) => string[]) =>
  zstdCompressSync(change(zstdDecompressSync(bytes).toString().trim().split('\n')).join('\n') + '\n')

test.each<[string, (bytes: Buffer) => Buffer, string]>([
  [
    'text that was changed',
    (bytes) => lineOf(bytes, (lines) => lines.map((line) => line.replace('m-3', 'm-9'))),
    'Entry 4',
  ],
  ['an entry that was taken out', (bytes) => lineOf(bytes, (lines) => lines.toSpliced(6, 1)), 'Entry 8'],
  [
    'an end that was cut off',
    (bytes) => lineOf(bytes, (lines) => lines.slice(0, 10)),
    'is not the file that was written',
  ],
  ['bytes that are lost', (bytes) => bytes.subarray(0, bytes.length - 20), 'is not whole'],
])('%s in a copied file is found', async (_what, change, message) => {
  const folder = await makeFolder()
  await copy(folder)
  await writeFile(join(folder, first), change(await readFile(join(folder, first))))
  await expect(verify(folder)).rejects.toThrow(message)
})

test('a list of files that was changed or put together again is found', async () => {
  const folder = await makeFolder()
  await copy(folder)
  await write(3)
  await copy(folder)
  const ends = (await readFile(join(folder, 'ends.jsonl'), 'utf8')).trim().split('\n')
  const put = (lines: string[]) => writeFile(join(folder, 'ends.jsonl'), `${lines.join('\n')}\n`)
  await put(ends.slice(1))
  await expect(verify(folder)).rejects.toThrow('does not follow the one before')
  await put([ends[0]!.replace(/"seq":"\d+"/, '"seq":"11"'), ends[1]!])
  await expect(verify(folder)).rejects.toThrow('carries no valid signature')
  await put([])
  await expect(verify(folder)).rejects.toThrow('holds no copy of an audit log')
})

test('a copy tells nothing personal that an erasure deletes', async () => {
  await inTransaction(system, (tx) =>
    audit(tx, system, { action: 'import', personal: { memberId: null, details: { name: 'Zoë Quill' } } }),
  )
  await write(0)
  const folder = await makeFolder()
  await copy(folder)
  expect(zstdDecompressSync(await readFile(join(folder, first))).toString()).not.toContain('Quill')
  expect(await verify(folder)).toMatchObject({ entries: await countSealed() })
})

test('the database is compared with the files of a copy', async () => {
  const folder = await makeFolder()
  await copy(folder)
  const { fault, checkpoints } = await verifyAudit(services, { files: [join(folder, 'ends.jsonl')] })
  expect({ fault, invalid: checkpoints.invalid }).toEqual({ fault: null, invalid: 0 })
  expect(checkpoints.valid).toBeGreaterThan(0)
})

test('one command copies, another verifies without a database', async () => {
  const folder = await makeFolder()
  const environment = { DATA_DIR: services.config.dataDir }
  const right = (text: string) => ({ code: 0, out: expect.stringContaining(text) as string, error: '' })
  expect(await admin(['audit', 'copy', folder], { environment })).toEqual(right('entries that are sealed'))
  const away = { environment: { ...environment, DATABASE_URL: 'postgres://localhost:1/none' } }
  expect(await admin(['audit', 'verify-copy', folder], away)).toEqual(right('The copy is what was sealed'))
})

test('by the clock one encrypted copy goes on beside the back-ups, verified there', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const account = { BACKUP_ACCESS_KEY_ID: 'S3RVER', BACKUP_SECRET_ACCESS_KEY: 'S3RVER' }
  const { recipient, identity } = await generateAgeKey()
  const keyFile = join(await makeFolder(), 'key.txt')
  await writeFile(keyFile, identity)
  const environment = {
    DATA_DIR: services.config.dataDir,
    BACKUP_TO: s3.url('copies'),
    BACKUP_KEY: recipient,
    ...account,
  }
  const { backups } = readConfig(environment)
  const withBackups = { ...services, config: { ...services.config, backups } }
  const job = () => runJob(withBackups, 'copy-audit')
  const read = () => readCopiedAt(withBackups)
  expect([await readCopiedAt(services), await read()]).toEqual([undefined, null])
  await Promise.all([job(), job()])
  const copiedAt = await read()
  expect(Date.parse(copiedAt!)).toBeGreaterThan(0)
  await write(3)
  await job()
  expect(await read(), 'it is not due yet').toBe(copiedAt)
  await server.sql(
    `UPDATE settings SET value = jsonb_set(value, '{copiedAt}', '"2026-01-01T00:00:00Z"') WHERE name = 'audit_copy'`,
  )
  await job()
  const place = s3.url('copies/audit-log')
  const entries = (await countSealed()).toLocaleString('en')
  const away = { environment: { ...environment, DATABASE_URL: 'postgres://localhost:1/none' } }
  const out = `The copy is what was sealed: ${entries} entries in 2 files.\n`
  expect(await admin(['audit', 'verify-copy', place, '--key', keyFile], away)).toEqual({ code: 0, out, error: '' })
  const unopened = await admin(['audit', 'verify-copy', place], away)
  expect(unopened).toMatchObject({ code: 1, out: '', error: expect.stringContaining(`${first}.age in s3:`) })
})
