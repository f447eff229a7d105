import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createFileFixtures } from '#test/support/stored-files.ts'

// Keys in a file of DATA_DIR, as without the setting.
const server = await startServer({ DOCUMENTS_KEY: '' })
const files = createFileFixtures(server)
const admin = await createAdminCommand(server)
const environment = { DATA_DIR: server.services.config.dataDir, DOCUMENTS_KEY: '' }
const keys = (...words: string[]) => admin(['keys', ...words], { environment })
const keyFile = join(server.services.config.dataDir, 'keys', 'documents')
const lines = async () => (await readFile(keyFile, 'utf8')).trim().split('\n')

const { id: member } = await makeMember(server)
const kept: string[] = []
for (let n = 0; n < 12; n++) kept.push(await files.upload(member))
const statusOfAll = async () =>
  new Set(await Promise.all(kept.map(async (key) => (await files.view(member, key)).statusCode)))

test('the key file is made once, for its owner alone', async () => {
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  expect(await lines()).toHaveLength(1)
  expect((await keys('status')).out).toMatch(/^Keys of documents in .*\n {2}[0-9a-f]{16} {2}encrypts {2}12 files$/m)
})

test('a rotation loses no file, and the running server goes on with the new key', async () => {
  const before = await files.list()
  const rotated = await keys('rotate', 'documents')
  expect(rotated.out).toMatch(/^The new key [0-9a-f]{16} encrypts; 12 files were taken over, 0 are left\./)
  expect(await lines()).toHaveLength(2)
  const after = await files.list()
  expect(after).toHaveLength(12)
  expect(after.filter((path) => before.includes(path))).toEqual([])
  expect(await statusOfAll()).toEqual(new Set([200]))
  kept.push(await files.upload(member))
  expect((await keys('status')).out).toMatch(/encrypts {2}13 files\n {2}[0-9a-f]{16} {2}decrypts {2}0 files/)
})

test('a key that no file needs is removed by command', async () => {
  const [present] = await lines()
  expect((await keys('drop', 'documents')).out).toMatch(/^Removed: [0-9a-f]{16}\.$/m)
  expect(await lines()).toEqual([present])
  expect(await statusOfAll()).toEqual(new Set([200]))
  expect((await keys('drop', 'documents')).out).toBe('Every key is needed; nothing is changed.\n')
})

test('a rotation that was cut short goes on, and until then no key is removed', async () => {
  const { documents } = server.services
  documents.keys.add!()
  // All first: a file that gets another name may be listed under it once more.
  const all = []
  for await (const file of documents.list()) all.push(file)
  for (const file of all.slice(0, 5)) await documents.rewrap(file)
  expect((await keys('drop', 'documents')).error).toMatch(/^Files still need the key [0-9a-f]{16}/)
  expect(await statusOfAll()).toEqual(new Set([200]))
  expect((await keys('rotate', 'documents')).out).toMatch(
    /^The key [0-9a-f]{16} encrypts; 8 files were taken over, 0 are left\./,
  )
  expect(await lines()).toHaveLength(2)
  expect(await statusOfAll()).toEqual(new Set([200]))
})

test('two rotations and uploads at once lose nothing', async () => {
  const uploading = (async () => {
    for (let n = 0; n < 6; n++) kept.push(await files.upload(member))
  })()
  const [one, other] = await Promise.all([keys('rotate', 'documents'), keys('rotate', 'documents'), uploading])
  expect([one.code, other.code]).toEqual([0, 0])
  await keys('rotate', 'documents')
  expect(await statusOfAll()).toEqual(new Set([200]))
  expect((await keys('drop', 'documents')).code).toBe(0)
  expect(await statusOfAll()).toEqual(new Set([200]))
})

test('without its key no command or server starts, until the files are given up', async () => {
  const held = await readFile(keyFile, 'utf8')
  await rm(keyFile)
  const refused = await admin(['list'], { environment })
  expect(refused).toMatchObject({
    code: 1,
    error: expect.stringMatching(/documents are encrypted with the key [0-9a-f]{16}/),
  })
  await writeFile(keyFile, `${Buffer.alloc(32, 3).toString('base64')}\n`, { mode: 0o600 })
  expect((await admin(['list'], { environment })).code).toBe(1)
  expect((await keys('status')).out).toMatch(/is not here\n\d+ files damaged, or in need of a key that is not here\.$/m)
  expect((await keys('drop', 'documents')).error).toContain('is not here; with --lost')
  expect((await keys('drop', 'documents', '--lost')).out).toMatch(/^Removed: /)
  expect((await admin(['list'], { environment })).code).toBe(0)
  await writeFile(keyFile, held)
})

test('a damaged key file is an error that says what to do', async () => {
  const held = await readFile(keyFile, 'utf8')
  await writeFile(keyFile, 'AAAA\n')
  expect((await keys('status')).error).toContain('must hold 32 bytes in base64, a line each: restore it from a back-up')
  await writeFile(keyFile, held)
})

test('words that are no command are refused with the usage', () => {
  for (const words of [[], ['turn'], ['rotate'], ['rotate', 'audit'], ['status', '--lost'], ['drop', 'documents', 'x']])
    expect(() => readCommand(['keys', ...words])).toThrow('Usage: npm run admin')
})
