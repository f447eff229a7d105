import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember } from '#test/support/make.ts'
import { keepFilesWhenDue } from './service.ts'
import { startServer } from '#test/support/server.ts'
import { createFileFixtures } from '#test/support/stored-files.ts'

const server = await startServer()
const files = createFileFixtures(server)
const bank = createBankCaller(server)
await bank.addAccount()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const storedHash = async (key: string) =>
  (
    await server.sql<{ hash: string }>("SELECT encode(stored_hash, 'hex') AS hash FROM documents WHERE key = $1", [key])
  )[0]!.hash
const openEvents = () =>
  server.sql<{ details: object }>(
    "SELECT severity, description, details FROM security_events WHERE event_type = 'stored_file_damaged' AND resolved_at IS NULL ORDER BY id",
  )
const passAgain = async () => {
  await server.sql("DELETE FROM settings WHERE name = 'files_kept'")
  await runJob(server.services, 'keep-files')
}

test('no file of the store is a picture, or named by what it holds (product 6.4)', async () => {
  const { id } = await makeMember(server)
  const { documentPath, path } = await files.uploadFile(id)
  const bytes = await readFile(path)
  const stored = await server.services.documents.read({ kind: 'picture', sha256: await storedHash(documentPath) })
  expect((await sharp(stored!).metadata()).format).toBe('jpeg')
  for (const clear of [Buffer.from([0xff, 0xd8, 0xff]), stored!.subarray(200, 232)])
    expect(bytes.includes(clear)).toBe(false)
  expect(basename(path)).not.toBe(sha256(stored!))
  expect(basename(path)).not.toBe(sha256(bytes))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('the same picture of two members is one file with a key of its own', async () => {
  const [one, other] = [await makeMember(server), await makeMember(server)]
  const { documentPath, path } = await files.uploadFile(one.id)
  const first = await readFile(path)
  const bytes = (await server.services.documents.read({ kind: 'picture', sha256: await storedHash(documentPath) }))!
  await rm(path)
  await server.services.documents.put({ kind: 'picture', sha256: sha256(bytes) }, bytes)
  const second = await readFile(path)
  // Another key and IV for each file: nothing but the start of the header is equal.
  expect(second.length).toBe(first.length)
  expect(second.subarray(13).equals(first.subarray(13))).toBe(false)
  expect(other.id).not.toBe(one.id)
})

const damages: [string, (path: string) => Promise<unknown>][] = [
  ['a bit of the key id', (path) => files.flip(path, 6)],
  ['a bit of the wrapped key', (path) => files.flip(path, 60)],
  ['a bit of the tag', (path) => files.flip(path, 125)],
  ['the first bit of the picture', (path) => files.flip(path, 134)],
  ['the last bit of the picture', (path) => files.flip(path, -1)],
  ['its end', async (path) => truncate(path, (await stat(path)).size - 1)],
  ['its header', (path) => truncate(path, 20)],
]
test.each(damages)('a picture that has lost %s is never shown, and is a critical event', async (_what, damage) => {
  const { id } = await makeMember(server)
  const { documentPath, path } = await files.uploadFile(id)
  expect((await files.view(id, documentPath)).statusCode).toBe(200)
  await damage(path)
  for (let turn = 0; turn < 2; turn++) {
    const reply = await files.view(id, documentPath)
    expect(reply.statusCode).toBe(500)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(reply.json()).toMatchObject({
      code: 'internal',
      message: 'This file is damaged, so it is not shown. It has to come from a back-up',
    })
  }
  const details = { userId: id, documentPath }
  expect((await openEvents()).filter((event) => JSON.stringify(event.details).includes(id))).toEqual([
    { severity: 'critical', description: expect.stringContaining('cannot be shown'), details },
  ])
})

test('a file in the place of another one is never shown', async () => {
  const { id } = await makeMember(server)
  const one = await files.uploadFile(id, 'front')
  const other = await files.uploadFile(id, 'back')
  await copyFile(other.path, one.path)
  expect((await files.view(id, one.documentPath)).statusCode).toBe(500)
  expect((await files.view(id, other.documentPath)).statusCode).toBe(200)
})

test('a file that is missing is 404, as before', async () => {
  const { id } = await makeMember(server)
  const { documentPath, path } = await files.uploadFile(id)
  await rm(path)
  expect((await files.view(id, documentPath)).json()).toMatchObject({ status: 404, code: 'not_found' })
  expect(await openEvents()).not.toContainEqual(expect.objectContaining({ details: { userId: id, documentPath } }))
})

/** Puts a picture back as a version without encryption stored it. */
async function storePlain(path: string, documentPath: string) {
  const hash = await storedHash(documentPath)
  const bytes = (await server.services.documents.read({ kind: 'picture', sha256: hash }))!
  const plain = join(files.folder, hash.slice(0, 2), hash)
  await mkdir(dirname(plain), { recursive: true })
  await writeFile(plain, bytes)
  await rm(path)
  return plain
}

test('plain files from before are shown, and encrypted in the background', async () => {
  const { id } = await makeMember(server)
  const { documentPath, path } = await files.uploadFile(id)
  const plain = await storePlain(path, documentPath)
  expect((await files.view(id, documentPath)).statusCode).toBe(200)
  await passAgain()
  expect(await files.list()).not.toContain(plain)
  expect(await files.list()).toContain(path)
  expect((await files.view(id, documentPath)).statusCode).toBe(200)
})

test('a plain file that was changed is neither shown nor encrypted', async () => {
  const { id } = await makeMember(server)
  const { documentPath, path } = await files.uploadFile(id)
  const plain = await storePlain(path, documentPath)
  await files.flip(plain, 100)
  expect((await files.view(id, documentPath)).statusCode).toBe(500)
  await passAgain()
  expect(await files.list()).toContain(plain)
  await rm(plain)
})

test('statement files are encrypted, and sent only as they came', async () => {
  const before = new Set(await files.list())
  const file = Buffer.from(camtFile(camtEntry('12.50', 'CRDT')))
  const { import: taken } = await bank.importFile(file)
  const [path] = (await files.list()).filter((each) => !before.has(each))
  expect((await readFile(path!)).includes('Document')).toBe(false)
  expect((await bank.call('GET', `/api/bank/imports/${taken.id}/file`)).rawPayload.equals(file)).toBe(true)
  await files.flip(path!, 200)
  const reply = await bank.call('GET', `/api/bank/imports/${taken.id}/file`)
  expect(reply.json()).toMatchObject({ code: 'internal', message: expect.stringContaining('damaged') })
  expect((await openEvents()).at(-1)).toMatchObject({ details: { importId: taken.id } })
})

test('files that no row names are deleted after 30 days, and others stay', async () => {
  const { id } = await makeMember(server)
  const [named, young, old] = [await files.uploadFile(id), await files.uploadFile(id), await files.uploadFile(id)]
  await server.sql('DELETE FROM documents WHERE key = ANY($1)', [[young.documentPath, old.documentPath]])
  await files.age(named.path, 400)
  await files.age(young.path, 29)
  await files.age(old.path, 31)
  const draft = `${named.path}.1-abc`
  await writeFile(draft, 'cut off')
  await files.age(draft, 2)
  await passAgain()
  const left = await files.list()
  expect([named, young, old].map(({ path }) => left.includes(path))).toEqual([true, true, false])
  expect(left).not.toContain(draft)
  expect((await files.view(id, named.documentPath)).statusCode).toBe(200)
  const [row] = await server.sql("SELECT actor_name, details FROM audit_log WHERE action = 'delete_unnamed_files'")
  expect(row).toEqual({ actor_name: 'keep-files', details: { files: 1, olderThanDays: 30 } })
})

test('a stopped pass goes on behind the last file, and the next one begins again', async () => {
  const { id } = await makeMember(server)
  for (let n = 0; n < 3; n++) await files.upload(id)
  const names = (await files.list()).map((path) => basename(path)).toSorted()
  const asked: string[] = []
  const store = server.services.documents.files
  const get = store.get.bind(store)
  const spy = vi.spyOn(store, 'get').mockImplementation((name, most) => (asked.push(name), get(name, most)))
  onTestFinished(() => spy.mockRestore())
  await server.sql("DELETE FROM settings WHERE name = 'files_kept'")
  const stop = new AbortController()
  const { documents } = server.services
  const list = documents.list.bind(documents)
  const listing = vi.spyOn(documents, 'list').mockImplementation(async function* (after) {
    let count = 0
    for await (const file of list(after)) {
      if (++count === 3) stop.abort()
      yield file
    }
  })
  await keepFilesWhenDue(server.system, stop.signal)
  listing.mockRestore()
  asked.length = 0
  await runJob(server.services, 'keep-files')
  expect(asked).toEqual(names.slice(2))
  asked.length = 0
  await passAgain()
  expect(asked).toEqual(names)
})
